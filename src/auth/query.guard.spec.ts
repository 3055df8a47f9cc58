import { expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AcceptsQuery } from '../platform/http/query.js';
import { QueryGuard } from './query.guard.js';
import { Public, PublicOperation, RequirePermission } from './require-permission.decorator.js';

class Routes {
  @Public()
  open(): void {
    throw new Error('not called');
  }

  @PublicOperation()
  operation(): void {
    throw new Error('not called');
  }

  @RequirePermission('user:read')
  @AcceptsQuery({ name: 'limit' })
  closed(): void {
    throw new Error('not called');
  }
}

/** A request of Express, which parses its query string when it is first read. */
const request = (url: string) => ({
  url,
  get query() {
    if (!url.includes('?')) throw new Error('there is nothing to parse');
    return Object.fromEntries(new URL(url, 'http://x').searchParams);
  },
});
const enter = (route: keyof Routes, url: string) =>
  new QueryGuard(new Reflector()).canActivate({
    getHandler: () => Routes.prototype[route],
    getArgByIndex: () => request(url),
  } as unknown as ExecutionContext);

it('refuses what the operation does not know', () => {
  expect(enter('closed', '/u/?limit=1')).toBe(true);
  const errors = {
    limt: [{ code: 'unknown_field', sentence: 'is not a query parameter: did you mean limit? Known: limit' }],
  };
  expect(() => enter('closed', '/u/?limt=1')).toThrow(expect.objectContaining({ errors }));
});

it('lets a page have any query string, but not a public operation', () => {
  expect(enter('open', '/?from=provider')).toBe(true);
  const errors = {
    from: [{ code: 'unknown_field', sentence: 'is not a query parameter: this operation has no query parameters' }],
  };
  expect(() => enter('operation', '/?from=balancer')).toThrow(expect.objectContaining({ errors }));
});

it('parses nothing where there is no query string', () => {
  expect(enter('closed', '/u/')).toBe(true);
});
