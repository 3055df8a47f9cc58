import { expect, it } from '@jest/globals';
import { DirectAdapter } from './direct-adapter.js';

it('refuses middleware, which would not see what the table answers', () => {
  const adapter = new DirectAdapter(() => undefined);
  const passedOver = /passed over by the route table/;
  expect(() => adapter.use(() => undefined)).toThrow(passedOver);
  expect(() => adapter.use('/api', () => undefined)).toThrow(passedOver);
  expect(() => adapter.enableCors({})).toThrow(passedOver);
  expect(() => adapter.createMiddlewareFactory()).toThrow(passedOver);
});
