/**
 * Returns the media type of a filename's extension; `application/octet-stream` if the extension is unknown or missing.
 */
export function guessContentType(filename: string): string {
  const dot = filename.lastIndexOf('.')
  return (dot === -1 ? undefined : byExtension.get(filename.slice(dot + 1).toLowerCase())) ?? unknown
}

export const unknown = 'application/octet-stream'

/**
 * The types of IANA's registry that are common in mail. Excludes `.eml`: RFC 2046 5.2.1 forbids base64 for
 * message/rfc822.
 */
const byExtension = new Map(
  Object.entries({
    'text/plain': 'txt log text',
    'text/html': 'html htm',
    'text/csv': 'csv',
    'text/css': 'css',
    'text/calendar': 'ics',
    'text/vcard': 'vcf',
    'text/markdown': 'md',
    'text/javascript': 'js mjs',
    'text/xml': 'xml',
    'application/json': 'json',
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/zip': 'zip',
    'application/gzip': 'gz tgz',
    'application/x-tar': 'tar',
    'application/vnd.rar': 'rar',
    'application/x-7z-compressed': '7z',
    'application/epub+zip': 'epub',
    'application/pkcs7-signature': 'p7s',
    'application/msword': 'doc',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.ms-powerpoint': 'ppt',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'image/png': 'png',
    'image/jpeg': 'jpg jpeg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/heic': 'heic',
    'image/svg+xml': 'svg',
    'image/tiff': 'tif tiff',
    'image/bmp': 'bmp',
    'image/vnd.microsoft.icon': 'ico',
    'audio/mpeg': 'mp3',
    'audio/mp4': 'm4a',
    'audio/ogg': 'ogg opus',
    'audio/wav': 'wav',
    'video/mp4': 'mp4 m4v',
    'video/webm': 'webm',
    'video/quicktime': 'mov',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension) => [extension, type] as const)),
)
