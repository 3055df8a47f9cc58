import { expect, it } from '@jest/globals';
import { operationId } from './operation-id.js';

it.each([
  ['UserController', 'list', 'listUsers'],
  ['UserController', 'create', 'createUser'],
  ['UserController', 'remove', 'deleteUser'],
  ['AddressController', 'list', 'listAddresses'],
  ['DeliveryController', 'list', 'listDeliveries'],
  ['ApiKeyController', 'list', 'listApiKeys'],
  ['ProjectChannelController', 'test', 'testProjectChannel'],
  ['ProjectController', 'getSettings', 'getProjectSettings'],
  ['MemberController', 'add', 'addListMembers'],
  ['ProgressController', 'streamProgress', 'streamOccurrenceProgress'],
  ['SystemController', 'ping', 'ping'],
])('names %s.%s %s', (controller, method, id) => {
  expect(operationId(controller, method)).toBe(id);
});
