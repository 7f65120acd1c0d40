-- Headers of requests and addresses of chats, encrypted. Graphs from before keep theirs in their nodes until they are saved again.
alter table workflow_graphs add column secrets text;
