import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../src/platform/config/root.js';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

interface Service {
  ports?: string[];
  environment?: Record<string, string>;
  [field: string]: unknown;
}

describe('compose.yaml', () => {
  const { services, networks } = parse(textOf('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    networks: object;
  };

  it('publishes ports on this machine only: TLS is the work of a proxy', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it.each(Object.keys(services))('limits what %s may take and do', (name) => {
    const service = services[name]!;
    const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    expect(service).toMatchObject({
      ...hardened,
      mem_limit: expect.stringMatching(/:-\d+[mg]\}$/),
      cpus: expect.stringMatching(/:-\d+\}$/),
      pids_limit: expect.any(Number),
      tmpfs: expect.arrayContaining(['/tmp']),
    });
  });

  it('lets only PostgreSQL have capabilities, and only Carillon reach PostgreSQL', () => {
    expect(Object.keys(services).filter((name) => 'cap_add' in services[name]!)).toEqual(['database']);
    expect(services.database!.networks).toEqual(['database']);
    expect(networks).toEqual({ database: { internal: true } });
  });

  it('takes its images from settings, so that a digest can pin them', () => {
    expect(services.database!.image).toMatch(/^\$\{POSTGRES_IMAGE:-postgres:\d+\}$/);
    expect(services.api!.build).toEqual({ context: '.', args: { NODE_IMAGE: '${NODE_IMAGE:-node:22-slim}' } });
  });

  it('gives the key of the secrets to Carillon, not to PostgreSQL', () => {
    expect(Object.keys(services.api!.environment!)).toContain('SECRET_KEY');
    expect(Object.keys(services.database!.environment!).filter((name) => name.includes('SECRET'))).toEqual([]);
  });

  it('passes every setting that .env.example describes, but for those of the image and of a single command', () => {
    const described = [...textOf('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name!);
    const ofTheImage = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'LOG_FORMAT'];
    const ofMove = ['TARGET_DATABASE_URL', 'TARGET_SECRET_KEY'];
    const missing = described.filter(
      (name) => ![...ofTheImage, ...ofMove].includes(name) && !(name in services.api!.environment!),
    );
    expect(missing).toEqual([]);
  });
});

describe('Dockerfile', () => {
  const lines = textOf('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));

  it('takes every stage from one image, which an argument pins by digest', () => {
    expect(lines.filter((line) => line.startsWith('ARG'))).toEqual(['ARG NODE_IMAGE=node:22-slim']);
    const stages = lines.filter((line) => line.startsWith('FROM'));
    expect(stages.filter((line) => !line.startsWith('FROM ${NODE_IMAGE}'))).toEqual([]);
  });

  it('runs as a user by number who owns no file, without a debugger', () => {
    expect(last.filter((line) => line.startsWith('USER'))).toEqual(['USER 1000:1000']);
    expect(last.filter((line) => line.includes('--chown'))).toEqual([]);
    expect(last.find((line) => line.startsWith('ENV'))).toMatch(/NODE_ENV=production .*NODE_OPTIONS=--disable-sigusr1/);
  });

  it('starts with SIGUSR1 in the hands of the service, in every file that starts a process', () => {
    const entries = ['src/main.ts', 'src/operate/start/service-process.ts', 'src/rules/render/render-process.ts'];
    for (const entry of entries) {
      const first = textOf(entry)
        .split('\n')
        .find((line) => line.startsWith('import'));
      expect([entry, first]).toEqual([entry, expect.stringMatching(/config\/no-debugger\.js';$/)]);
    }
  });
});

describe('package-lock.json', () => {
  /** Whether a range such as `^18.19 || >=20.6` includes Node 20.19, the oldest one of package.json. */
  const accepts = (range: string) =>
    range.split('||').some((part) => {
      const [, sign, major, minor] = /^\s*(>=|\^)?\s*(\d+)(?:\.(\d+))?/.exec(part)!;
      if (Number(major) !== 20) return sign === '>=' && Number(major) < 20;
      return Number(minor ?? 0) <= 19;
    });

  it('has only packages that accept the oldest Node: npm would warn about others', () => {
    const lock = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    expect(lock.packages['']!.engines).toEqual({ node: '>=20.19' });
    const picky = Object.entries(lock.packages).filter(([, { engines }]) => engines?.node && !accepts(engines.node));
    expect(picky.map(([path]) => path)).toEqual([]);
  });
});

describe('docs/threat-model.md', () => {
  const text = textOf('docs/threat-model.md');

  it('names only tests that exist', () => {
    const named = [...text.matchAll(/`((?:test|src)\/[\w./-]+\.ts)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('has a row for each of the ten risks', () => {
    const risks = [...text.matchAll(/^\| (API\d+):2023/gm)].map(([, risk]) => risk);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, i) => `API${i + 1}`));
  });
});
