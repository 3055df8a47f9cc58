import { Client } from 'pg';
import { Service } from './service.js';

/** An organization with one list of many members, and an event that tells them all over one webhook. */
export async function createCrowd(
  databaseUrl: string,
  hook: string,
  people: number,
  config = '',
): Promise<{ key: string; trigger: string }> {
  const env = { DATABASE_URL: databaseUrl };
  await Service.run(
    ['apply', '-'],
    env,
    `
organizations:
  - slug: crowd
    name: Crowd
    channels: [{ slug: hook, name: Hook, type: webhook, config: { url: "${hook}"${config} } }]
    projects:
      - slug: p
        name: P
        distribution_lists: [{ name: All }]
        applications:
          - slug: a
            name: A
            events:
              - slug: e
                name: E
                notifications:
                  - { name: Tell all, distribution_list: All, templates: [{ channel: hook, text: "{{ user.email }}" }] }
`,
  );
  await fill(databaseUrl, people);
  const printed = await Service.run(['key', 'create', '--org', 'crowd', '--name', 'k', '--all', '--json'], env);
  return { key: (JSON.parse(printed) as { key: string }).key, trigger: '/api/o/crowd/p/p/a/a/e/e/trigger/' };
}

async function fill(databaseUrl: string, people: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    set session_replication_role = replica; -- rows made by us need no foreign key checks
    insert into users (organization_id, email, email_key)
      select o.id, 'user' || n || '@crowd.test', 'user' || n || '@crowd.test' from organizations o, generate_series(1, ${people}) n;
    insert into addresses (organization_id, user_id, name, value) select organization_id, id, 'email', email from users;
    insert into members (organization_id, list_id, user_id, address_id)
      select a.organization_id, l.id, a.user_id, a.id from addresses a, distribution_lists l;
    analyze`);
  await client.end();
}
