import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BadRequestException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { ApiKeyStore } from '../../src/auth/api-key-store.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createDatabase } from '../support/app/database.js';
import { operations } from '../support/contract/contract.js';

// The service as it is, with middleware added as the Nest documentation shows it.
let app: NestExpressApplication;
let url: string;
let key: string;
let drop: () => Promise<void>;
const counted: string[] = [];

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  app = await createApp(readConfig({ LOG_LEVEL: 'error', ROLE: 'api' }), database.url);
  app.use(({ method, path }: Request, _: Response, next: NextFunction) => {
    counted.push(`${method} ${path}`);
    next();
  });
  app.use(helmet());
  app.enableCors({ origin: 'https://console.test', maxAge: 600 });
  app.use('/api/system/teapot', (_: Request, response: Response) => response.status(418).json({ short: 'and stout' }));
  app.use('/api/system/broken', (_: Request, __: Response, next: NextFunction) =>
    next(new BadRequestException('on purpose')),
  );
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const service = app.get(ApiKeyStore);
  key = (await service.create({ name: 'test', permissions: ['system:ping'] }, { actor: 'test' })).text;
});
afterAll(async () => {
  await app.close();
  await drop();
});

const pathOf = (path: string) => path.replace(/\{\w+\}/g, 'x');

it('is run for every operation', async () => {
  for (const { method, path } of operations) {
    counted.length = 0;
    await supertest(url)[method.toLowerCase() as 'get'](pathOf(path));
    expect(counted).toEqual([`${method} ${pathOf(path)}`]);
  }
});

it('adds the headers of helmet to answers, problems and unknown paths', async () => {
  const answers = [
    await supertest(url).get('/api/system/ping/').set('Authorization', `Key ${key}`),
    await supertest(url).get('/api/system/ping/'),
    await supertest(url).get('/nowhere'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'strict-transport-security': expect.any(String),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  }
});

it('answers the CORS preflight of every operation', async () => {
  for (const { method, path } of operations) {
    const { status, headers } = await supertest(url)
      .options(pathOf(path))
      .set({ Origin: 'https://console.test', 'Access-Control-Request-Method': method });
    expect({ path, status }).toEqual({ path, status: 204 });
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://console.test',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-max-age': '600',
    });
  }
});

it('lets pages of the origin read answers', async () => {
  const { headers } = await supertest(url).get('/api/system/ping/').set('Origin', 'https://console.test');
  expect(headers['access-control-allow-origin']).toBe('https://console.test');
});

it('may answer itself', async () => {
  const { status, body } = await supertest(url).get('/api/system/teapot/');
  expect([status, body]).toEqual([418, { short: 'and stout' }]);
});

it('gives its errors to the one place that writes error answers', async () => {
  const { status, body, headers } = await supertest(url).get('/api/system/broken/');
  expect([status, headers['content-type']]).toEqual([400, 'application/problem+json']);
  expect(body).toMatchObject({ errors: { request: ['on purpose'] } });
});
