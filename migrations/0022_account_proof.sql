-- When the account's address was proven to belong to the person. Accounts that exist already count as unproven; one that
-- a provider made is proven at the next sign-in through that provider, if the provider vouches for the address.
alter table users add column email_verified_at timestamptz;
