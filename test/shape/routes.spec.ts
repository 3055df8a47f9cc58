import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { operations } from '../support/contract/contract.js';
import { declaredRoutes, servedRoutes } from '../support/contract/routes.js';

// The whole API and who may call it, on one screen: permission and, where a key must reach the whole of something, its reach; after a plus, the
// scope with which a recipient token reaches it too. A new
// route stands here, on purpose, or this test fails. So does a reach that gets lost: the contract is written from the code and would
// lose it too.
const ROUTES = `
GET    /api/system/ping                                      system:ping
GET    /api/o/:org                                           organization:read
GET    /api/o/:org/u                                         user:read
POST   /api/o/:org/u                                         user:write              organization
GET    /api/o/:org/u/:username                               user:read
PUT    /api/o/:org/u/:username                               user:write              organization
PATCH  /api/o/:org/u/:username                               user:write              organization
GET    /api/o/:org/u/:username/settings                      user:read               +preferences
PATCH  /api/o/:org/u/:username/settings                      user:write              organization +preferences
GET    /api/o/:org/u/:username/withheld                      user:read
GET    /api/o/:org/u/:username/address                       user:read
POST   /api/o/:org/u/:username/address                       user:write              organization
GET    /api/o/:org/u/:username/devices                       device:read             +devices
PUT    /api/o/:org/u/:username/devices/:bundle/:device       device:write            organization +devices
DELETE /api/o/:org/u/:username/devices/:bundle/:device       device:write            organization +devices
GET    /api/o/:org/u/:username/inbox                         user:read               +inbox
GET    /api/o/:org/u/:username/inbox/categories              user:read               +inbox
GET    /api/o/:org/u/:username/inbox/stream                  user:read               +inbox
POST   /api/o/:org/u/:username/inbox/:message/read           user:write              +inbox
POST   /api/o/:org/u/:username/inbox/:message/acknowledge    occurrence:write         +inbox
POST   /api/o/:org/u/:username/inbox/mark                    user:write              +inbox
DELETE /api/o/:org/u/:username/inbox/:message                user:write              +inbox
POST   /api/o/:org/u/:username/token                         token:create            organization
GET    /api/o/:org/u/:username/deliveries                    user:read
GET    /api/o/:org/u/:username/export                        user:export             organization
POST   /api/o/:org/audience/preview                          user:read
POST   /api/o/:org/users                                     user:write              organization
GET    /api/o/:org/users                                     user:read               organization
GET    /api/o/:org/users/:email                              user:read               organization
PUT    /api/o/:org/users/:email                              user:write              organization
GET    /api/o/:org/p                                         organization:read
GET    /api/o/:org/p/:prj                                    organization:read
GET    /api/o/:org/c                                         organization:read
GET    /api/o/:org/p/:prj/c                                  organization:read
GET    /api/o/:org/p/:prj/a                                  organization:read
GET    /api/o/:org/p/:prj/a/:app/e                           event:list
POST   /api/o/:org/p/:prj/a/:app/e/:evt/trigger              event:trigger
GET    /api/o/:org/p/:prj/a/:app/e/:evt/o                    occurrence:read
GET    /api/o/:org/occurrences                               occurrence:read
GET    /api/o/:org/occurrences/:occurrence                   occurrence:read
GET    /api/o/:org/occurrences/:occurrence/deliveries        occurrence:read
GET    /api/o/:org/occurrences/:occurrence/deliveries/:delivery occurrence:read
POST   /api/o/:org/p/:prj/a/:app/e/:evt/simulate             event:trigger
POST   /api/o/:org/p/:prj/a/:app/e/:evt/preview              notification:read
POST   /api/o/:org/p/:prj/a/:app/e/:evt/preview/test         notification:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/schema               event:list
GET    /api/o/:org/occurrences/:occurrence/explain           occurrence:read
GET    /api/o/:org/p/:prj/categories                         event:list
POST   /api/o/:org/p/:prj/categories                         event:write             project
GET    /api/o/:org/p/:prj/categories/:category               event:list
PATCH  /api/o/:org/p/:prj/categories/:category               event:write             project
DELETE /api/o/:org/p/:prj/categories/:category               event:write             project
GET    /api/o/:org/u/:username/preferences                   preference:read         +preferences
PATCH  /api/o/:org/u/:username/preferences                   preference:write        organization +preferences
GET    /api/o/:org/p/:prj/d                                  distributionlist:read
POST   /api/o/:org/p/:prj/d                                  distributionlist:write
GET    /api/o/:org/p/:prj/d/:pk                              distributionlist:read
POST   /api/o/:org/p/:prj/d/:pk/add                          distributionlist:write
GET    /api/o/:org/p/:prj/d/:pk/m                            distributionlist:read
POST   /api/o/:org/occurrences/:occurrence/cancel            occurrence:write
POST   /api/o/:org/occurrences/:occurrence/approve           occurrence:write
POST   /api/o/:org/occurrences/:occurrence/acknowledge       occurrence:write
POST   /api/o/:org/occurrences/:occurrence/retry             occurrence:write
POST   /api/o/:org/occurrences/:occurrence/replay            occurrence:write
GET    /api/o/:org/occurrences/:occurrence/stream            occurrence:read
GET    /api/o/:org/k                                         apikey:read
POST   /api/o/:org/k                                         apikey:write
POST   /api/o/:org/k/:key/revoke                             apikey:write
GET    /api/o/:org/signing-secrets                           token:create            organization
POST   /api/o/:org/signing-secrets                           token:create            organization
POST   /api/o/:org/signing-secrets/:secret/revoke            token:create            organization
GET    /api/o/:org/audit                                     audit:read              organization
GET    /api/o/:org/suppressions                              suppression:read        project
POST   /api/o/:org/suppressions                              suppression:write       project
GET    /api/o/:org/suppressions/:suppression                 suppression:read        project
DELETE /api/o/:org/suppressions/:suppression                 suppression:write       project
GET    /api/o/:org/uploads                                   upload:write            organization
POST   /api/o/:org/uploads                                   upload:write
GET    /api/o/:org/uploads/:upload                           upload:write
DELETE /api/o/:org/uploads/:upload                           upload:write
GET    /api/o/:org/configuration                             configuration:read      project
PUT    /api/o/:org/configuration                             configuration:write     project
POST   /api/o/:org/configuration/plan                        configuration:read      project
GET    /api/o/:org/quotas                                    organization:read       organization
PATCH  /api/o/:org/quotas                                    organization:write      service
GET    /api/o/:org/settings                                  organization:read
PATCH  /api/o/:org/settings                                  organization:write      organization
GET    /api/o                                                organization:read
POST   /api/o                                                organization:write      service
PATCH  /api/o/:org                                           organization:write      service
DELETE /api/o/:org                                           organization:write      service
POST   /api/o/:org/p                                         organization:write      organization
GET    /api/o/:org/p/:prj/settings                           organization:read
PATCH  /api/o/:org/p/:prj                                    organization:write      project
DELETE /api/o/:org/p/:prj                                    organization:write      organization
GET    /api/o/:org/p/:prj/messages                           event:list
PUT    /api/o/:org/p/:prj/messages                           event:write             project
POST   /api/o/:org/p/:prj/a                                  organization:write      project
GET    /api/o/:org/p/:prj/a/:app                             organization:read
PATCH  /api/o/:org/p/:prj/a/:app                             organization:write
DELETE /api/o/:org/p/:prj/a/:app                             organization:write      project
GET    /api/o/:org/p/:prj/a/:app/status-webhook              organization:read
PUT    /api/o/:org/p/:prj/a/:app/status-webhook              organization:write
DELETE /api/o/:org/p/:prj/a/:app/status-webhook              organization:write
POST   /api/o/:org/p/:prj/a/:app/e                           event:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt                      event:list
PATCH  /api/o/:org/p/:prj/a/:app/e/:evt                      event:write
DELETE /api/o/:org/p/:prj/a/:app/e/:evt                      event:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/schedule             event:list
PUT    /api/o/:org/p/:prj/a/:app/e/:evt/schedule             event:write
PATCH  /api/o/:org/p/:prj/a/:app/e/:evt/schedule             event:write
DELETE /api/o/:org/p/:prj/a/:app/e/:evt/schedule             event:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/drafts               notification:read
POST   /api/o/:org/p/:prj/a/:app/e/:evt/drafts               notification:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/drafts/:draft        notification:read
PUT    /api/o/:org/p/:prj/a/:app/e/:evt/drafts/:draft        notification:write
DELETE /api/o/:org/p/:prj/a/:app/e/:evt/drafts/:draft        notification:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/n                    notification:read
POST   /api/o/:org/p/:prj/a/:app/e/:evt/n                    notification:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/n/:notification      notification:read
PATCH  /api/o/:org/p/:prj/a/:app/e/:evt/n/:notification      notification:write
DELETE /api/o/:org/p/:prj/a/:app/e/:evt/n/:notification      notification:write
POST   /api/o/:org/p/:prj/a/:app/e/:evt/n/:notification/flush notification:write
GET    /api/o/:org/p/:prj/a/:app/e/:evt/revisions            notification:read
GET    /api/o/:org/layouts                                   notification:read
GET    /api/o/:org/layouts/:layout                           notification:read
PUT    /api/o/:org/layouts/:layout                           notification:write      organization
DELETE /api/o/:org/layouts/:layout                           notification:write      organization
GET    /api/o/:org/layouts/:layout/uses                      notification:read       organization
GET    /api/o/:org/p/:prj/layouts                            notification:read
GET    /api/o/:org/p/:prj/layouts/:layout                    notification:read
PUT    /api/o/:org/p/:prj/layouts/:layout                    notification:write      project
DELETE /api/o/:org/p/:prj/layouts/:layout                    notification:write      project
GET    /api/o/:org/p/:prj/layouts/:layout/uses               notification:read       project
GET    /api/o/:org/partials                                  notification:read
GET    /api/o/:org/partials/:partial                         notification:read
PUT    /api/o/:org/partials/:partial                         notification:write      organization
DELETE /api/o/:org/partials/:partial                         notification:write      organization
GET    /api/o/:org/partials/:partial/uses                    notification:read       organization
GET    /api/o/:org/p/:prj/partials                           notification:read
GET    /api/o/:org/p/:prj/partials/:partial                  notification:read
PUT    /api/o/:org/p/:prj/partials/:partial                  notification:write      project
DELETE /api/o/:org/p/:prj/partials/:partial                  notification:write      project
GET    /api/o/:org/p/:prj/partials/:partial/uses             notification:read       project
POST   /api/o/:org/c                                         channel:write           organization
GET    /api/o/:org/channel-health                            organization:read
GET    /api/o/:org/figures                                   occurrence:read
GET    /api/o/:org/summary                                   occurrence:read         organization
GET    /api/o/:org/c/:channel                                organization:read
PATCH  /api/o/:org/c/:channel                                channel:write           organization
DELETE /api/o/:org/c/:channel                                channel:write           organization
POST   /api/o/:org/c/:channel/test                           channel:write           organization
POST   /api/o/:org/c/:channel/check                          channel:write           organization
GET    /api/o/:org/c/:channel/domains                        organization:read
GET    /api/o/:org/c/:channel/waiting                        occurrence:read         organization
POST   /api/o/:org/c/:channel/discard                        occurrence:write        organization
POST   /api/o/:org/p/:prj/c                                  channel:write           project
GET    /api/o/:org/p/:prj/c/:channel                         organization:read
PATCH  /api/o/:org/p/:prj/c/:channel                         channel:write           project
DELETE /api/o/:org/p/:prj/c/:channel                         channel:write           project
POST   /api/o/:org/p/:prj/c/:channel/test                    channel:write           project
POST   /api/o/:org/p/:prj/c/:channel/check                   channel:write           project
GET    /api/o/:org/p/:prj/c/:channel/domains                 organization:read
GET    /api/o/:org/p/:prj/c/:channel/waiting                 occurrence:read         project
POST   /api/o/:org/p/:prj/c/:channel/discard                 occurrence:write        project
GET    /api/dispatchers                                      organization:read
GET    /api/roles                                            organization:read
DELETE /api/o/:org/u/:username                               user:write              organization
PATCH  /api/o/:org/u/:username/address/:name/:value          user:write              organization
DELETE /api/o/:org/u/:username/address/:name/:value          user:write              organization
GET    /api/o/:org/p/:prj/d/:pk/settings                     distributionlist:read
PATCH  /api/o/:org/p/:prj/d/:pk                              distributionlist:write  project
DELETE /api/o/:org/p/:prj/d/:pk                              distributionlist:write  project
PATCH  /api/o/:org/p/:prj/d/:pk/m/:member                    distributionlist:write  project
DELETE /api/o/:org/p/:prj/d/:pk/m/:member                    distributionlist:write  project
GET    /api/o/:org/members                                   member:read             project
PUT    /api/o/:org/members/:memberEmail                      member:write            project
DELETE /api/o/:org/members/:memberEmail                      member:write            project
POST   /api/o/:org/members/:memberEmail/link                 member:write            project
GET    /api/o/:org/session                                   apikey:read
DELETE /api/o/:org/session/:session                          apikey:write
POST   /api/session                                          public
GET    /api/session                                          any-key
DELETE /api/session                                          any-key
GET    /api/session/providers                                public
GET    /api/session/link                                     public
POST   /api/session/link                                     public
GET    /api/session/oidc/:provider                           public
GET    /api/session/oidc/:provider/callback                  public
OPTIONS /api/o/:org/u/:username/inbox                        public
OPTIONS /api/o/:org/u/:username/inbox/stream                 public
OPTIONS /api/o/:org/u/:username/inbox/mark                   public
OPTIONS /api/o/:org/u/:username/inbox/categories             public
OPTIONS /api/o/:org/u/:username/inbox/:message               public
OPTIONS /api/o/:org/u/:username/inbox/:message/read          public
OPTIONS /api/o/:org/u/:username/inbox/:message/acknowledge   public
OPTIONS /api/o/:org/u/:username/preferences                  public
OPTIONS /api/o/:org/u/:username/settings                     public
OPTIONS /api/o/:org/u/:username/devices                      public
OPTIONS /api/o/:org/u/:username/devices/:bundle/:device      public
GET    /health/live                                          public
GET    /health/ready                                         public
GET    /                                                     public
GET    /api                                                  public
GET    /a/:token                                             public
POST   /a/:token                                             public
GET    /m/:token                                             public
POST   /m/:token                                             public
POST   /m/:token/undo                                        public
GET    /u/:token                                             public
POST   /u/:token                                             public
POST   /u/:token/undo                                        public
GET    /u/:token/preferences                                 public
POST   /u/:token/preferences                                 public
GET    /files/:org/:token                                    public
GET    /logos/:org/:file                                     public
GET    /reports/:org/:channel                                public
GET    /reports/:org/:prj/:channel                           public
POST   /reports/:org/:channel                                public
POST   /reports/:org/:prj/:channel                           public
GET    /twilio/:org/:channel                                 public
GET    /twilio/:org/:prj/:channel                            public
POST   /twilio/:org/:channel                                 public
POST   /twilio/:org/:prj/:channel                            public
GET    /api/openapi.yaml                                     public
GET    /api/openapi.json                                     public
GET    /api/provisioning.schema.json                         public
`;

// Swagger UI's own pages, which no controller serves.
const FILES = 'colors.css index.html swagger-ui-init.js swagger-ui.css index.css swagger-ui-bundle.js';
const ICONS = 'favicon-32x32.png favicon-16x16.png';
const DOCS = ['', ...`${FILES} ${ICONS}`.split(' ').map((file) => `/${file}`)].map((page) => `GET /api/docs${page}`);
const DEEPEST = '/o/:org/:page/:a/:b/:c';
const CONSOLE = ['', '/message', '/assets/:file', ...[7, 13, 16, 19, 22].map((end) => DEEPEST.slice(0, end))].map(
  (page) => `GET /console${page}`,
);

const written = ROUTES.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/).join(' '))
  .sort();

/** As a line of the list above. */
const line = (method: string, path: string, access?: string, reach?: string, recipientScope?: string) =>
  [method, path, access, ...(reach ? [reach] : []), ...(recipientScope ? [`+${recipientScope}`] : [])].join(' ');

let app: TestApp;
useApp({}, (started) => (app = started));

it('declares for every route a permission and a reach, or that it is public, as written here', () => {
  const declared = declaredRoutes(app).map(({ method, path, access, reach, recipientScope }) =>
    line(method, path, access, reach, recipientScope),
  );
  expect(declared.sort()).toEqual(written);
});

it('serves no route beside those', () => {
  const expected = [...written.map((line) => line.split(' ').slice(0, 2).join(' ')), ...DOCS, ...CONSOLE];
  expect([...new Set(servedRoutes(app))].sort()).toEqual(expected.sort());
});

it('publishes every route with its permission and its reach, and nothing else', () => {
  const published = operations.map(
    ({ method, path, security, 'x-permission': permission, 'x-reach': reach, ...operation }) => {
      const access = permission ?? (security?.length === 0 ? 'public' : 'any-key');
      const named = path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
      return line(method, named, access, reach, operation['x-recipient-scope']);
    },
  );
  const described = written.filter(
    (line) =>
      !/openapi|\.schema|\/oidc\/|^GET \/(api)? public|^\w+ \/(u|a|m|reports|twilio|files|logos)\/|^OPTIONS/.test(line),
  );
  expect(published.sort()).toEqual(described);
});

it('has a question of browsers for every route that recipient tokens reach, and for no other', () => {
  const pathOf = (line: string) => line.split(' ')[1]!;
  const open = new Set(written.filter((line) => line.includes(' +')).map(pathOf));
  const asked = written.filter((line) => line.startsWith('OPTIONS ')).map(pathOf);
  expect(asked.sort()).toEqual([...open].sort());
});
