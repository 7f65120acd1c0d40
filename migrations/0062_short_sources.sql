-- A short message that was submitted complete, as it is sent, compressed. Its texts are decoded from it, and it has no row in
-- `email_sources`. Long messages are there uncompressed, with their texts in `html` and `text`, as messages of earlier releases.
alter table email_contents add column source bytea;

drop trigger note_stored_bytes_delete on email_contents;
create trigger note_stored_bytes_delete after delete on email_contents referencing old table as gone
  for each statement execute function note_stored_bytes(
    'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0) + coalesce(octet_length(source), 0)'
  );
