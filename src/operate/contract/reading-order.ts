import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];

/** The operations that everything else is built around. Readers find them first in their group. */
const BASIC = new Set([
  'ping',
  ...['getOrganization', 'listProjects', 'getProject'],
  ...['listOrganizationChannels', 'listProjectChannels', 'listApplications'],
  ...['listEvents', 'triggerEvent'],
  ...['listUsers', 'createUser', 'getUser', 'putUser', 'updateUser', 'listAddresses', 'createAddress'],
  ...['listDistributionLists', 'createDistributionList', 'getDistributionList', 'addListMembers', 'listListMembers'],
]);

/** Swagger UI shows paths and methods in the order of the document: the basic operations first. */
export function inReadingOrder(paths: Paths): Paths {
  const items = Object.entries(paths).map(([path, item]) => [path, Object.fromEntries(basicFirst(item))] as const);
  const first = items.filter(([, item]) => isBasic(Object.values(item)[0]));
  return Object.fromEntries([...first, ...items.filter((each) => !first.includes(each))]);
}

function basicFirst(item: Paths[string]): [string, unknown][] {
  const methods = Object.entries(item);
  return [...methods.filter(([, each]) => isBasic(each)), ...methods.filter(([, each]) => !isBasic(each))];
}

const isBasic = (operation: unknown) => BASIC.has((operation as { operationId: string }).operationId);
