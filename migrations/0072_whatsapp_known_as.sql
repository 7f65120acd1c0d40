-- outside a transaction
create index concurrently whatsapp_conversations_known_as on whatsapp_conversations (team_id, sender_id, known_as)
  where known_as is not null;
