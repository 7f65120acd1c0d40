-- Members get one of five roles. The members of earlier versions could do everything but what owners did: they become admins.
alter table team_members drop constraint team_members_role_check;
update team_members set role = 'admin' where role = 'member';
alter table team_members
  add constraint team_members_role_check check (role in ('owner', 'admin', 'developer', 'marketer', 'viewer'));

-- `deleted_at` ends a team at once. A job removes its rows in pages, and the team's own row last.
alter table teams
  add column require_two_factor boolean not null default false,
  add column deleted_at timestamptz;
create index teams_deleted on teams (id) where deleted_at is not null;

create table team_invitations (
  team_id uuid not null references teams (id) on delete cascade,
  id uuid not null,
  email text not null,
  email_lower text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'marketer', 'viewer')),
  -- The member who invites. The invitation is void once this person has left or may no longer give the role.
  invited_by uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (team_id, id)
);
-- Inviting an address again replaces the earlier invitation.
create unique index team_invitations_email on team_invitations (team_id, email_lower);
create index team_invitations_inviter on team_invitations (invited_by);
create index team_invitations_expiry on team_invitations (expires_at);

-- An invitation has a token for the link that is shown and one for each link that is mailed.
create table team_invitation_tokens (
  token_hash bytea primary key,
  team_id uuid not null,
  invitation_id uuid not null,
  -- A mailed token proves that its holder reads the invited address.
  mailed boolean not null,
  foreign key (team_id, invitation_id) references team_invitations (team_id, id) on delete cascade
);
create index team_invitation_tokens_invitation on team_invitation_tokens (team_id, invitation_id);
