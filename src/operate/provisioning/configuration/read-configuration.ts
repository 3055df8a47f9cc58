import { isObject } from '../../../platform/field/is-object.js';
import { invalidField } from '../../../platform/http/problem.js';
import { TEXT_PARTS } from '../../../rules/template/template.js';
import { checkShape } from '../file-check.js';
import { textsIn } from '../file.js';
import type { OrganizationEntry, ProvisioningFile } from '../file.js';
import { FileProblems } from '../problem/file-problems.js';

const NO_REFERENCE =
  'must not be a reference: carillon apply replaces { env } and { file } before it sends a file, and other clients must do so too';

interface ReadConfiguration {
  file: ProvisioningFile;
  problems: FileProblems;
}

/** Reads the body of a request as a file with one organization. `organization`: the one in the path. */
export function readConfigurationBody(body: unknown, organization: { slug: string; name: string }): ReadConfiguration {
  if (!isObject(body)) throw invalidField('body', 'invalid_type', 'must be a JSON object');
  if (body.slug !== undefined && body.slug !== organization.slug)
    throw invalidField('slug', 'conflict', `must be ${organization.slug}, as in the path, or be left out`);
  const root = { organizations: [{ ...body, slug: organization.slug, name: body.name ?? organization.name }] };
  const problems = new FileProblems(root);
  const file = checkShape(root, problems);
  for (const entry of file.organizations) refuseReferences(entry, problems);
  return { file, problems };
}

/** The environment and the files of the service are not those of its clients. */
function refuseReferences(organization: OrganizationEntry, problems: FileProblems): void {
  const { channels = [], projects = [] } = organization;
  const refuse = (entry: object, field: string) => problems.addUnread(entry, field, NO_REFERENCE, 'not_allowed');
  for (const channel of [...channels, ...projects.flatMap((project) => project.channels ?? [])])
    for (const [key, value] of Object.entries(channel.config ?? {}))
      if (typeof value === 'object') {
        refuse(channel, `config.${key}`);
        channel.config![key] = '';
      }
  for (const fragment of [organization, ...projects].flatMap(({ layouts = [], partials = [] }) => [
    ...layouts,
    ...partials,
  ]))
    for (const part of ['html', 'text', 'mjml'] as const)
      if (isObject(fragment[part])) {
        refuse(fragment, part);
        fragment[part] = '{{ content }}';
      }
  for (const application of projects.flatMap(({ applications = [] }) => applications)) {
    const { status_webhook: webhook } = application;
    if (webhook && isObject(webhook.secret)) {
      refuse(application, 'status_webhook.secret');
      webhook.secret = '';
    }
    for (const notification of (application.events ?? []).flatMap(({ notifications = [] }) => notifications))
      for (const { field, texts } of (notification.templates ?? []).flatMap(textsIn))
        for (const part of TEXT_PARTS)
          if (isObject(texts[part])) {
            refuse(notification, `${field}.${part}`);
            texts[part] = '-';
          }
  }
}
