import { useState } from 'react'
import { attachmentsMaxBytes } from '../../../../src/emails/bounds.ts'
import { Button } from '../../ui/button/button.tsx'
import { FieldFrame } from '../../ui/form/field.tsx'
import { bytes, countOf } from '../../ui/text/words.ts'
import type { AttachedFile } from './body.ts'

type Props = { files: AttachedFile[]; onChange: (files: AttachedFile[]) => void; fault?: string | undefined }

/** Chooses files to attach. They are read at once, so that they are sent as they were chosen. */
export function Attachments({ files, onChange, fault }: Props) {
  const [refused, setRefused] = useState<string>()
  async function add(chosen: File[]) {
    const size = [...files, ...chosen].reduce((sum, file) => sum + file.size, 0)
    if (size > attachmentsMaxBytes) {
      setRefused(`Attachments may have ${bytes(attachmentsMaxBytes)} together; these have ${bytes(size)}.`)
      return
    }
    setRefused(undefined)
    onChange([...files, ...(await Promise.all(chosen.map(read)))])
  }
  return (
    <FieldFrame label="Attachments" isOptional fault={refused ?? fault}>
      {({ id }) => (
        <>
          <input
            id={id}
            type="file"
            multiple
            className="input"
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
          {files.length > 0 && <Files files={files} onRemove={(index) => onChange(files.toSpliced(index, 1))} />}
        </>
      )}
    </FieldFrame>
  )
}

function Files({ files, onRemove }: { files: AttachedFile[]; onRemove: (index: number) => void }) {
  return (
    <ul aria-label={countOf(files.length, 'attachment')} className="attachments">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
        <li key={index}>
          <span>
            {file.filename} <span className="small muted">{bytes(file.size)}</span>
          </span>
          <Button kind="quiet" icon="close" label={`Remove ${file.filename}`} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  )
}

function read(file: File): Promise<AttachedFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const content = String(reader.result).replace(/^[^,]*,/, '')
      resolve({ filename: file.name, contentType: file.type, size: file.size, content })
    }
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
