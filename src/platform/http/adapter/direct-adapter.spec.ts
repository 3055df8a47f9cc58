import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request as send } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it, jest } from '@jest/globals';
import {
  Controller,
  Get,
  Header,
  HttpException,
  Injectable,
  Module,
  Next,
  Param,
  Post,
  Req,
  RequestMethod,
  Res,
  Scope,
  Version,
  VersioningType,
} from '@nestjs/common';
import type { MiddlewareConsumer, NestMiddleware, NestModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { DirectAdapter } from './direct-adapter.js';
import { ProblemFilter } from '../problem.filter.js';

// The same application is served by Nest's own Express adapter and by ours. Both must answer alike: status, headers and body, and
// in the same order the names of the middlewares that saw the request.

type Build = (app: NestExpressApplication) => void | Promise<void>;

const passing = (name: string) => (_: Request, response: Response, next: NextFunction) => {
  response.append('X-Ran', name);
  next();
};

const failing = (_: Request, __: Response, next: NextFunction) => next(new Error('failing'));

type RequestHandler = Parameters<ExpressAdapter['get']>[1];

const adapterOf = (app: NestExpressApplication) => app.getHttpAdapter() as unknown as ExpressAdapter;

/** What a middleware and a controller can see of a request, beyond its method and headers. */
const seen = ({ url, originalUrl, baseUrl, path, params, query, route, res }: Request, { locals }: Response) => ({
  ...{ url, originalUrl, baseUrl, path, params, query, locals, hasResponse: res !== undefined },
  route: (route as { path: string } | undefined)?.path,
});

@Controller('cats')
class CatController {
  @Get()
  list(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return seen(request, response);
  }

  @Get('lost')
  lost() {
    throw new HttpException('lost', 404);
  }

  @Get('broken')
  broken() {
    throw new Error('broken');
  }

  @Get('next')
  next(@Res() response: Response, @Next() next: NextFunction) {
    response.append('X-Ran', 'next');
    next();
  }

  @Get('next-error')
  nextError(@Res() response: Response, @Next() next: NextFunction) {
    response.append('X-Ran', 'next-error');
    next(new Error('from the controller'));
  }

  @Get('text')
  @Header('Content-Type', 'text/plain')
  text() {
    return 'meow';
  }

  @Get(':name')
  get(@Param('name') name: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return { name, ...seen(request, response) };
  }

  @Post(':name')
  create(@Param('name') name: string) {
    return { name };
  }
}

@Controller('dogs')
class DogController {
  @Get()
  list() {
    return ['Rex'];
  }

  @Get(':name')
  get(@Param('name') name: string) {
    return { name };
  }
}

@Injectable()
class ClassMiddleware implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction) {
    response.append('X-Ran', `class ${request.baseUrl} ${JSON.stringify(request.params)}`);
    next();
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestScopedMiddleware implements NestMiddleware {
  async use(_: Request, response: Response, next: NextFunction) {
    await Promise.resolve();
    response.append('X-Ran', 'request-scoped');
    next();
  }
}

@Injectable()
class ThrowingMiddleware implements NestMiddleware {
  use() {
    throw new HttpException('refused by a class', 403);
  }
}

@Module({ controllers: [CatController, DogController] })
class PlainModule {}

@Module({ controllers: [CatController, DogController] })
class MiddlewareModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(ClassMiddleware).forRoutes(CatController);
    consumer.apply(RequestScopedMiddleware).forRoutes('dogs');
    consumer
      .apply(passing('function'), passing('second function'))
      .exclude({ path: 'cats/tom', method: RequestMethod.GET })
      .forRoutes('cats/*name');
    consumer.apply(passing('posts')).forRoutes({ path: 'cats/:name', method: RequestMethod.POST });
    consumer.apply(passing('everywhere')).forRoutes('{*any}');
    consumer.apply(ThrowingMiddleware).forRoutes('dogs/rex');
  }
}

@Controller({ path: 'birds', version: '1' })
class OldBirdController {
  @Get()
  list() {
    return ['old'];
  }
}

@Controller({ path: 'birds', version: '2' })
class NewBirdController {
  @Get()
  list() {
    return ['new'];
  }

  @Get('both')
  @Version(['1', '2'])
  both() {
    return ['both'];
  }
}

@Module({ controllers: [OldBirdController, NewBirdController] })
class VersionedModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(ClassMiddleware).forRoutes(NewBirdController);
  }
}

async function serve(adapter: ExpressAdapter, module: Type, build: Build): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, { logger: false, bodyParser: false });
  // As in app.ts: our adapter writes neither header.
  app.set('etag', false);
  app.disable('x-powered-by');
  app.useGlobalFilters(new ProblemFilter(() => null));
  await build(app);
  return app.listen(0, '127.0.0.1').then(() => app);
}

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
}

async function ask(app: NestExpressApplication, { method, path, headers }: Asked) {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const call = send({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: { ...headers, host: 'cats.test' },
    agent: false,
  });
  const [response] = (await once(call.end(), 'response')) as [IncomingMessage];
  const { date: _, ...kept } = response.headers;
  return { status: response.statusCode, headers: kept, body: (await buffer(response)).toString() };
}

/** `METHOD /path Header: value; Header: value` */
function parse(line: string): Asked {
  const [, method, path, headers = ''] = /^(\w+) (\S+) ?(.*)$/.exec(line)!;
  const pairs = headers.split('; ').filter(Boolean);
  return { method: method!, path: path!, headers: Object.fromEntries(pairs.map((pair) => pair.split(': '))) };
}

const CORS_PREFLIGHT = 'Origin: https://console.test; Access-Control-Request-Method: POST';

const EVERYTHING = [
  'GET /cats',
  'GET /cats/',
  'GET /CATS',
  'GET /cats?limit=1',
  'GET /cats/tom',
  'GET /cats/Tom%20Cat',
  'GET /cats/%ff',
  'GET /cats/LOST',
  'POST /cats/tom',
  'PUT /cats/tom',
  'HEAD /cats',
  'OPTIONS /cats',
  'OPTIONS /nowhere',
  `OPTIONS /cats/tom ${CORS_PREFLIGHT}`,
  `OPTIONS /nowhere ${CORS_PREFLIGHT}`,
  'GET /cats Origin: https://console.test',
  'GET /cats/lost',
  'GET /cats/broken',
  'GET /cats/next',
  'GET /cats/next-error',
  'GET /cats/text',
  'GET /dogs',
  'GET /dogs/rex',
  'GET /dogs/bello',
  'GET /nowhere',
  'GET /',
  'GET /teapot',
  'GET /failing',
  'GET /birds X-Version: 1',
  'GET /birds X-Version: 2',
  'GET /birds X-Version: 3',
  'GET /birds/both X-Version: 1',
  'GET /v1/birds',
  'GET /v2/birds',
  'GET /v2/birds/both',
  'GET /pets/cats',
  'GET /pets/cats/tom',
  'POST /pets/cats/tom',
  'GET /pets/dogs/rex',
  'GET /early/tom',
  'GET /early/failing',
  'GET /early/throwing',
  'GET /late',
  'GET /files/a.txt',
  'GET /files/b.txt',
  'GET /files/nothing.txt',
  'GET /rewritten',
];

const folder = mkdtempSync(join(tmpdir(), 'carillon-files-'));
writeFileSync(join(folder, 'a.txt'), 'a file');
afterAll(() => rmSync(folder, { recursive: true }));

const global: Build = (app) => {
  app.use(passing('first'), passing('second'));
  app.use('/cats', passing('at /cats'));
  app.use(['/dogs', '/birds'], passing('at two paths'));
  app.use('/cats/:name', passing('at a parameter'));
  app.use(/tom$/, passing('at a regular expression'));
  app.use(async (_: Request, response: Response, next: NextFunction) => {
    await new Promise(setImmediate);
    response.append('X-Ran', 'async');
    response.locals.user = 'ann';
    next();
  });
};

const answering: Build = (app) => {
  app.use('/teapot', (_: Request, response: Response) => response.status(418).json({ short: 'and stout' }));
  app.use('/failing', failing);
  app.use('/dogs/bello', () => Promise.reject(new Error('rejected')));
  app.use('/cats/tom', () => {
    throw new HttpException('thrown', 400);
  });
  app.use((request: Request, _: Response, next: NextFunction) => {
    if (request.url === '/rewritten') request.url = '/cats/tim';
    next();
  });
};

/** Routes that are registered by hand, before and after middleware, as the documentation's are. */
const mixed: Build = async (app) => {
  const adapter = adapterOf(app);
  adapter.get('/early/failing', failing as RequestHandler);
  adapter.get('/early/throwing', () => {
    throw new Error('by hand');
  });
  adapter.get('/early/:name', (request: Request, response: Response) => response.json(seen(request, response)));
  app.use(passing('after the early routes'));
  adapter.get('/cats/*rest', passing('wildcard') as RequestHandler);
  await app.init();
  app.use(passing('after all routes'));
  app.use('/late', (_: Request, response: Response) => response.json('late'));
};

const CASES: [string, Type, Build][] = [
  ['no middleware', PlainModule, () => undefined],
  ['app.use', PlainModule, global],
  ['helmet', PlainModule, (app) => void app.use(helmet())],
  ['CORS', PlainModule, (app) => app.enableCors()],
  [
    'CORS with options',
    PlainModule,
    (app) => {
      const methods = ['GET', 'POST'];
      app.enableCors({
        origin: ['https://console.test'],
        methods,
        credentials: true,
        maxAge: 60,
        exposedHeaders: ['Link'],
      });
    },
  ],
  ['middleware that answers, fails or rewrites', PlainModule, answering],
  ['middleware of a module', MiddlewareModule, () => undefined],
  ['middleware of a module and app.use', MiddlewareModule, global],
  ['a global prefix', MiddlewareModule, (app) => void app.setGlobalPrefix('pets')],
  [
    'a global prefix with exceptions',
    MiddlewareModule,
    (app) => void app.setGlobalPrefix('pets', { exclude: ['dogs/:name'] }),
  ],
  ['versions in the path', VersionedModule, (app) => void app.enableVersioning()],
  [
    'versions in a header',
    VersionedModule,
    (app) => void app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' }),
  ],
  ['routes and middleware in turn', PlainModule, mixed],
  ['files below a prefix', PlainModule, (app) => void app.useStaticAssets(folder, { prefix: '/files' })],
  ['files before a route of the same path', PlainModule, (app) => serveFilesBeforeRoutes(app, '/files')],
  ['files below a parameter', PlainModule, (app) => serveFilesBeforeRoutes(app, '/:folder')],
  ['files everywhere', PlainModule, (app) => serveFilesBeforeRoutes(app)],
  ['bodies read by Nest', PlainModule, (app) => void app.useBodyParser('json')],
  ['security headers', PlainModule, (app) => void app.useSecurityHeaders()],
  [
    'hooks of the developer tools',
    PlainModule,
    (app) => {
      const adapter = adapterOf(app);
      adapter.setOnRequestHook((_: Request, response: Response, done: () => void) => {
        response.append('X-Ran', 'hook');
        done();
      });
      adapter.setOnResponseHook(() => undefined);
    },
  ],
];

function serveFilesBeforeRoutes(app: NestExpressApplication, prefix?: string): void {
  app.useStaticAssets(folder, { prefix });
  const adapter = adapterOf(app);
  adapter.get('/files/a.txt', (_: Request, response: Response) => response.json('a route'));
  adapter.get('/files/:name', (_: Request, response: Response) => response.json('another route'));
}

it.each(CASES)('%s: both adapters answer alike', async (_, module, build) => {
  const byExpress = await serve(new ExpressAdapter(), module, build);
  const direct = await serve(new DirectAdapter(() => undefined), module, build);
  const expected = await answersOf(byExpress);
  expect(await answersOf(direct)).toEqual(expected);
  await Promise.all([byExpress.close(), direct.close()]);
});

async function answersOf(app: NestExpressApplication): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const line of EVERYTHING) answers[line] = await ask(app, parse(line));
  return answers;
}

it('leaves Express out only where no middleware was registered before the route', async () => {
  const app = await serve(new DirectAdapter(() => undefined), PlainModule, mixed);
  const express = jest.spyOn(adapterOf(app).getInstance<{ handle: () => void }>(), 'handle');
  await ask(app, parse('GET /early/tom'));
  expect(express).toHaveBeenCalledTimes(0);
  await ask(app, parse('GET /cats'));
  expect(express).toHaveBeenCalledTimes(1);
  await app.close();
});

it('shows every request to `prepare` first, whoever answers it', async () => {
  const paths: string[] = [];
  const app = await serve(new DirectAdapter(({ url }) => paths.push(url)), PlainModule, answering);
  const asked = ['/cats', '/teapot', '/nowhere'];
  for (const path of asked) await ask(app, parse(`GET ${path}`));
  expect(paths).toEqual(asked);
  await app.close();
});
