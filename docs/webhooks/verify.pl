use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 hmac_sha256_base64);

my $tolerance_seconds = 5 * 60;

# Returns 1 if a request is Posthorn's and fresh. The payload is the body as it arrived, as bytes, not parsed and
# written again; the headers are a hash by name in lower case; the secret is the webhook's whole signing secret.
sub verify {
    my ($payload, $headers, $secret) = @_;
    my $timestamp = $headers->{'webhook-timestamp'} // '';
    my $given = $headers->{'webhook-signature'} // '';
    return 0 unless $timestamp =~ /\A[0-9]{1,12}\z/;
    return 0 if abs(time() - $timestamp) > $tolerance_seconds;
    my $digest = hmac_sha256_base64("$timestamp.$payload", $secret);
    # Digest::SHA omits the padding.
    $digest .= '=' while length($digest) % 4;
    return same("v1,$digest", $given);
}

# Compares hashes under a random key, so the time taken does not show where two texts differ.
sub same {
    my ($one, $other) = @_;
    my $key = join '', map { chr int rand 256 } 1 .. 32;
    return hmac_sha256($one, $key) eq hmac_sha256($other, $key) ? 1 : 0;
}

1;
