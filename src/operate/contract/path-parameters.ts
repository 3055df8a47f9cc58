interface PathParameter {
  description: string;
  schema: object;
  example: string | number;
}

/** The examples are those of the demo (provisioning/demo.yaml): what Swagger UI fills in works there. */
const PATH_PARAMETERS: Record<string, PathParameter> = {
  org: { description: 'Slug of the organization.', schema: { type: 'string' }, example: 'demo' },
  prj: { description: 'Slug of the project.', schema: { type: 'string' }, example: 'shop' },
  app: { description: 'Slug of the application.', schema: { type: 'string' }, example: 'web' },
  evt: { description: 'Slug of the event.', schema: { type: 'string' }, example: 'order-paid' },
  username: { description: 'Username: the e-mail address.', schema: { type: 'string' }, example: 'ann@example.com' },
  email: {
    description: 'E-mail of the user: the username.',
    schema: { type: 'string' },
    example: 'ann@example.com',
  },
  message: { description: 'Id of the message in the inbox.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  occurrence: {
    description: 'Id of the occurrence, as returned by its trigger.',
    schema: { type: 'string', format: 'uuid' },
    example: '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21',
  },
  delivery: { description: 'Id of the delivery.', schema: { type: 'integer', minimum: 1 }, example: 2 },
  key: { description: 'Id of the API key.', schema: { type: 'integer', minimum: 1 }, example: 2 },
  session: { description: 'Id of the session.', schema: { type: 'integer', minimum: 1 }, example: 3 },
  channel: { description: 'Slug of the channel.', schema: { type: 'string' }, example: 'mail' },
  projectChannel: { description: 'Slug of the channel.', schema: { type: 'string' }, example: 'log' },
  layout: { description: 'Slug of the layout.', schema: { type: 'string' }, example: 'default' },
  partial: { description: 'Slug of the partial.', schema: { type: 'string' }, example: 'button' },
  projectPartial: { description: 'Slug of the partial.', schema: { type: 'string' }, example: 'help' },
  category: { description: 'Slug of the category.', schema: { type: 'string' }, example: 'news' },
  notification: { description: 'Id of the notification.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  draft: {
    description: 'The id of the notification that the draft changes, or `new`, or `new-` with letters and digits.',
    schema: { type: 'string' },
    example: 'new',
  },
  member: { description: 'Id of the member.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  memberEmail: { description: 'E-mail of the member.', schema: { type: 'string' }, example: 'bob@example.com' },
  name: { description: 'Kind of address.', schema: { type: 'string' }, example: 'phone' },
  value: { description: 'The address itself.', schema: { type: 'string' }, example: '+15551234567' },
  bundle: {
    description: 'The app on the device, such as its bundle id.',
    schema: { type: 'string' },
    example: 'com.example.shop',
  },
  device: {
    description: 'Id of the device, which the app gives.',
    schema: { type: 'string' },
    example: '3f2a9c1e-5b7d-4e8a-9c3b-1d2e3f4a5b6c',
  },
  suppression: { description: 'Id of the suppression.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  upload: {
    description: 'Id of the upload.',
    schema: { type: 'string', format: 'uuid' },
    example: '7d9c5f1e-0a43-4c0e-8f0e-2b1f6f0c9a11',
  },
  secret: { description: 'Id of the signing secret.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  pk: { description: 'Id of the distribution list.', schema: { type: 'integer', minimum: 1 }, example: 1 },
};

const IF_MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header' as const,
  required: false,
  description:
    'The `ETag` of the version that you want to change, or several of them, or `*` for any. If the stored version is another one, nothing is changed and the answer is 412. Without it, the last change wins.',
  schema: { type: 'string' },
};

/** A reference to the parameter of changes that check a version. */
export const IF_MATCH = { $ref: '#/components/parameters/If-Match' };

/** The parameters of all paths, and `If-Match`. */
export const sharedParameters = {
  ...Object.fromEntries(
    Object.entries(PATH_PARAMETERS).map(([key, parameter]) => [
      key,
      {
        name: key.replace(/^project(.)/, (_, letter: string) => letter.toLowerCase()),
        in: 'path' as const,
        required: true,
        ...parameter,
      },
    ]),
  ),
  'If-Match': IF_MATCH_PARAMETER,
};

/** The parameters of one path, as references. */
export function pathParameters(path: string): { $ref: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const ofProject = `project${name![0]!.toUpperCase()}${name!.slice(1)}`;
    const key = path.includes('{prj}') && ofProject in PATH_PARAMETERS ? ofProject : name!;
    if (!(key in PATH_PARAMETERS))
      throw new Error(`the path parameter {${key}} is not described: add it to PATH_PARAMETERS`);
    return { $ref: `#/components/parameters/${key}` };
  });
}
