-- A job removes the members of a deleted segment or topic in pages, so that its deletion is a short statement. Whoever adds a member
-- holds the lock of the segment or topic, so none is added afterwards. Members that are left belong to nothing: each reader of them
-- looks for the segment or topic.
alter table segment_contacts drop constraint segment_contacts_team_id_segment_id_fkey;
alter table topic_subscriptions drop constraint topic_subscriptions_team_id_topic_id_fkey;
