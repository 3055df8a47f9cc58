/** Two tenants of the same shape: whatever one has, the other has under the same slugs below its own. */
export const ACME_AND_GLOBEX = `
organizations:
${['acme', 'globex']
  .map(
    (org) => `
  - slug: ${org}
    name: ${org === 'acme' ? 'Acme Inc' : 'Globex'}
    channels:
      - { slug: mail, name: Mail, type: email, config: { host: 127.0.0.1, port: 1025, security: none, from: "${org} <no-reply@${org}.test>" } }
      - { slug: quiet, name: Quiet, type: log, enabled: false }
    users:
      - { email: ann@${org}.test, first_name: Ann, last_name: Lee, custom_fields: { team: ops }, addresses: [{ name: phone, value: "+1 555 123 4567" }] }
      - { email: bob@${org}.test, locked: true }
    projects:
      - slug: shop
        name: Shop
        channels:
          - { slug: hook, name: Hook, type: webhook, config: { url: "http://127.0.0.1:9000/in" } }
        distribution_lists:
          - { name: Staff, members: [ann@${org}.test, { email: bob@${org}.test, channel: mail, active: false }] }
        applications:
          - slug: web
            name: Web shop
            events: [{ slug: order-paid, name: Order paid }, { slug: order-sent, name: Order sent }]
          - { slug: till, name: Till, events: [{ slug: closed, name: Closed }] }
      - slug: depot
        name: Depot
        distribution_lists: [{ name: Drivers }]
        applications: [{ slug: gate, name: Gate, events: [{ slug: opened, name: Opened }] }]
`,
  )
  .join('')}`;
