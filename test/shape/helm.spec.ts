import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, PodSpec, PodTemplateSpec, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import { root } from '../../src/platform/config/root.js';
import { STOP_MS } from '../../src/operate/start/running.js';
import { chart, renderChart } from '../support/helm/chart.js';
import type { Manifest } from '../support/helm/chart.js';
import { typeProblems } from '../support/helm/check-types.js';
import { FUNCTIONS } from '../support/helm/functions.js';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const REQUIRED = { database: { url: 'postgresql://u:p@db/carillon' }, secretKey: { value: 'a2V5' } };
const EXTERNAL = {
  database: { existingSecret: 'db-app', existingSecretKey: 'uri' },
  secretKey: { existingSecret: 'carillon-key' },
};
const EVERYTHING = {
  ...REQUIRED,
  secretKey: { value: 'a2V5', previous: 'b2xk' },
  image: { repository: 'registry.test/carillon', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'r' }] },
  config: { PUBLIC_URL: 'https://notify.example.com', RETENTION_DAYS: '60' },
  extraEnv: [{ name: 'OIDC_FILE', value: '/oidc/oidc.yaml' }],
  extraVolumes: [{ name: 'oidc', secret: { secretName: 'oidc' } }],
  extraVolumeMounts: [{ name: 'oidc', mountPath: '/oidc', readOnly: true }],
  serviceAccountName: 'carillon',
  api: {
    podAnnotations: { note: 'a' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'a', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  worker: { autoscaling: { enabled: true, metricLabels: { service: 'notify-carillon-metrics' } } },
  service: { type: 'LoadBalancer', annotations: { a: 'b' } },
  ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'tls' },
  metrics: { enabled: true, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  networkPolicy: {
    apiFrom: [{ namespaceSelector: {} }],
    metricsFrom: [{ podSelector: {} }],
    database: { port: 5433, to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
    extraEgress: [{ ports: [{ port: 4318 }] }],
  },
};
const KEDA = {
  ...REQUIRED,
  metrics: { enabled: true },
  worker: { autoscaling: { enabled: true, kind: 'keda', prometheusUrl: 'http://prometheus.monitoring:9090' } },
};
const CELL_SECRET = 'the secret between the cells of a test';
const CELL = {
  ...REQUIRED,
  cell: {
    ...{ url: 'http://notify-carillon-api.cell-1', number: 1 },
    ...{ secret: { value: CELL_SECRET }, directory: { url: 'postgresql://u:p@db/directory' } },
  },
};
const EXTERNAL_CELL = {
  ...EXTERNAL,
  cell: {
    url: 'http://notify-carillon-api.cell-1',
    secret: { existingSecret: 'cells' },
    directory: { existingSecret: 'directory-app', existingSecretKey: 'uri' },
  },
};
const MINIMAL = {
  ...EXTERNAL,
  migrate: { enabled: false },
  networkPolicy: { enabled: false },
  runAsUser: null,
  runAsGroup: null,
  api: { disruptionBudget: { enabled: false }, preStopSeconds: 0 },
  worker: { disruptionBudget: { enabled: false } },
};

const SETS = [
  ['the required values', REQUIRED],
  ['everything', EVERYTHING],
  ['KEDA', KEDA],
  ['secrets that exist', EXTERNAL],
  ['a cell', CELL],
  ['a cell whose secrets exist', EXTERNAL_CELL],
  ['as little as possible', MINIMAL],
] as const;

interface Workload extends Manifest {
  spec: { template: PodTemplateSpec; replicas?: number };
}

const isWorkload = (manifest: Manifest): manifest is Workload => ['Deployment', 'Job'].includes(manifest.kind);
const namesOf = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const find = (manifests: Manifest[], name: string): unknown =>
  manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
const findWorkload = (manifests: Manifest[], name: string) => find(manifests, name) as Workload;
const podOf = (manifest: Workload): PodSpec => manifest.spec.template.spec!;
const labelsOf = (manifest: Workload) => manifest.spec.template.metadata!.labels!;
const matches = (labels: Record<string, string>, selector: Record<string, string> = {}) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe.each(SETS)('the chart with %s', (_name, values) => {
  const manifests = renderChart(values);
  const workloads = manifests.filter(isWorkload);

  it('is valid for Kubernetes: no unknown field, no wrong type, nothing missing', () => {
    expect(typeProblems(manifests)).toEqual([]);
  });

  it('names each object once, as Kubernetes allows', () => {
    const names = namesOf(manifests);
    expect(new Set(names).size).toBe(names.length);
    const labels = manifests.flatMap(({ metadata }) => Object.values(metadata.labels ?? {}));
    const bad = [...manifests.map(({ metadata }) => metadata.name), ...labels].filter(
      (each) => !/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(each),
    );
    expect(bad).toEqual([]);
  });

  it('runs pods that the restricted Pod Security Standard accepts, with a root that cannot be written', () => {
    for (const workload of workloads) {
      const pod = podOf(workload);
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(pod.securityContext!.seccompProfile).toEqual({ type: 'RuntimeDefault' });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
      }
    }
  });

  it('refers only to ports, volumes, pods and secrets that exist', () => {
    const own = manifests.filter(({ kind }) => kind === 'Secret');
    for (const workload of workloads) {
      const pod = podOf(workload);
      const container = pod.containers[0]!;
      const volumes = pod.volumes!.map(({ name }) => name);
      expect(container.volumeMounts!.filter(({ name }) => !volumes.includes(name))).toEqual([]);
      expect(danglingKeys(container, own)).toEqual([]);
    }
    const selectors = manifests.flatMap((manifest) => selectorsOf(manifest));
    const selected = selectors.filter((selector) => workloads.some((each) => matches(labelsOf(each), selector)));
    // The policy of the migration stays, whether the job runs or not.
    const isOfMigration = (selector: object) => Object.values(selector).includes('migrate');
    expect(selectors.filter((selector) => !selected.includes(selector) && !isOfMigration(selector))).toEqual([]);
  });
});

/** The keys of secrets that a container needs and that neither the chart nor the user provides. */
function danglingKeys(container: Container, own: Manifest[]): string[] {
  const theirs = ['db-app uri', 'carillon-key SECRET_KEY', 'cells CELL_SECRET', 'directory-app uri'];
  const ours = own.flatMap(({ metadata, stringData }) =>
    Object.keys(stringData as object).map((key) => `${metadata.name} ${key}`),
  );
  return container
    .env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    .filter(({ optional }) => !optional)
    .map(({ name, key }) => `${name} ${key}`)
    .filter((each) => ![...theirs, ...ours].includes(each));
}

function selectorsOf({ kind, spec }: Manifest): Record<string, string>[] {
  const { selector, podSelector } = (spec ?? {}) as Record<string, Record<string, unknown> | undefined>;
  if (kind === 'Service') return [selector as Record<string, string>];
  if (kind === 'ServiceMonitor') return [];
  const labels = (selector ?? podSelector)?.matchLabels as Record<string, string> | undefined;
  return labels ? [labels] : [];
}

describe('the chart', () => {
  const all = renderChart(EVERYTHING);

  it('has the objects that the page describes', () => {
    expect(namesOf(renderChart(REQUIRED))).toEqual([
      'Deployment notify-carillon-api',
      'Deployment notify-carillon-worker',
      'Job notify-carillon-migrate',
      'NetworkPolicy notify-carillon-api',
      'NetworkPolicy notify-carillon-migrate',
      'NetworkPolicy notify-carillon-worker',
      'PodDisruptionBudget notify-carillon-api',
      'PodDisruptionBudget notify-carillon-worker',
      'Secret notify-carillon',
      'Secret notify-carillon-migrate',
      'Service notify-carillon-api',
    ]);
    expect(namesOf(renderChart(MINIMAL, 'carillon'))).toEqual([
      'Deployment carillon-api',
      'Deployment carillon-worker',
      'Service carillon-api',
    ]);
  });

  it('needs a database and a key, and says so', () => {
    expect(() => renderChart({})).toThrow('set database.url or database.existingSecret');
    expect(() => renderChart({ database: REQUIRED.database })).toThrow(
      'set secretKey.value or secretKey.existingSecret',
    );
  });

  it.each<[string, object, RegExp]>([
    ['a value that does not exist', { replicas: 3 }, /must NOT have additional properties/],
    ['a setting that the chart makes itself', { config: { ROLE: 'all' } }, /property name must be valid/],
    ['a number where the environment needs text', { config: { RETENTION_DAYS: 60 } }, /RETENTION_DAYS must be string/],
    ['no workers at all', { worker: { autoscaling: { minReplicas: 0 } } }, /minReplicas must be >= 1/],
    ['a digest that is none', { image: { digest: 'latest' } }, /digest must match/],
    ['less time to stop than a process takes', { api: { terminationGracePeriodSeconds: 10 } }, />= 25/],
    ['a secret of cells among the settings', { config: { CELL_SECRET } }, /property name must be valid/],
    ['a cell without a secret', { cell: { url: 'http://a' } }, /set cell.secret.value or cell.secret.existingSecret/],
    [
      'a cell without a directory',
      { cell: { url: 'http://a', secret: { value: CELL_SECRET } } },
      /set cell.directory.url or cell.directory.existingSecret/,
    ],
    ['a secret of cells that is too short', { cell: { secret: { value: 'short' } } }, /value must match/],
    ['autoscaling without metrics', { worker: { autoscaling: { enabled: true } } }, /needs metrics.enabled/],
    [
      'KEDA without Prometheus',
      { metrics: { enabled: true }, worker: { autoscaling: { enabled: true, kind: 'keda' } } },
      /set worker.autoscaling.prometheusUrl/,
    ],
  ])('refuses %s', (_name, values, sentence) => {
    expect(() => renderChart({ ...REQUIRED, ...values })).toThrow(sentence);
  });

  it('keeps the secrets of a cell in a Secret, and gives them to every process', () => {
    const names = ['CELL', 'CELL_URL', 'CELL_SECRET', 'DIRECTORY_URL'];
    const envOf = (values: Parameters<typeof renderChart>[0]) =>
      renderChart(values)
        .filter(isWorkload)
        .map((each) => podOf(each).containers[0]!.env!.filter(({ name }) => names.includes(name)));
    const from = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } });
    const own = [
      { name: 'CELL', value: '1' },
      { name: 'CELL_URL', value: 'http://notify-carillon-api.cell-1' },
    ];
    expect(envOf(CELL)).toEqual(
      ['notify-carillon', 'notify-carillon-migrate', 'notify-carillon'].map((secret) => [
        ...own,
        { name: 'CELL_SECRET', ...from(secret, 'CELL_SECRET') },
        { name: 'DIRECTORY_URL', ...from(secret, 'DIRECTORY_URL') },
      ]),
    );
    expect(find(renderChart(CELL), 'Secret notify-carillon')).toMatchObject({
      stringData: { CELL_SECRET, DIRECTORY_URL: 'postgresql://u:p@db/directory' },
    });
    const [external] = envOf(EXTERNAL_CELL);
    expect(external).toEqual([
      ...[{ name: 'CELL', value: '0' }, own[1]],
      { name: 'CELL_SECRET', ...from('cells', 'CELL_SECRET') },
      { name: 'DIRECTORY_URL', ...from('directory-app', 'uri') },
    ]);
    expect(namesOf(renderChart(EXTERNAL_CELL)).filter((name) => name.startsWith('Secret'))).toEqual([]);
    expect(envOf(REQUIRED)).toEqual([[], [], []]);
  });

  it('asks for health where the service answers', () => {
    for (const component of ['api', 'worker']) {
      const { containers } = podOf(findWorkload(all, `Deployment notify-carillon-${component}`));
      const { startupProbe, livenessProbe, readinessProbe, ports, env } = containers[0]!;
      const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe!.httpGet!.path);
      expect(paths).toEqual(['/health/live', '/health/live', '/health/ready']);
      expect(ports!.map(({ name }) => name)).toEqual(['http', 'metrics']);
      expect(env).toEqual(expect.arrayContaining([{ name: 'ROLE', value: component }]));
    }
  });

  it('opens the port for bounces in the api only, with a Service in front, and only if it is wanted', () => {
    const rendered = renderChart({ ...REQUIRED, bounces: { enabled: true, service: { annotations: { a: 'b' } } } });
    const of = (component: string) =>
      podOf(findWorkload(rendered, `Deployment notify-carillon-${component}`)).containers[0]!;
    expect(of('api').ports).toContainEqual({ name: 'bounces', containerPort: 2525 });
    expect(of('api').env).toEqual(expect.arrayContaining([{ name: 'BOUNCE_PORT', value: '2525' }]));
    expect(JSON.stringify([of('worker').ports, of('worker').env])).not.toMatch(/bounce/i);
    expect(find(rendered, 'Service notify-carillon-bounces')).toMatchObject({
      metadata: { annotations: { a: 'b' } },
      spec: { type: 'LoadBalancer', ports: [{ name: 'bounces', port: 25, targetPort: 'bounces' }] },
    });
    const policyOf = (type: string) =>
      JSON.stringify(find(renderChart({ ...REQUIRED, bounces: { enabled: true, service: { type } } }), SERVICE));
    const SERVICE = 'Service notify-carillon-bounces';
    for (const type of ['LoadBalancer', 'NodePort'])
      expect(policyOf(type)).toContain('"externalTrafficPolicy":"Local"');
    expect(policyOf('ClusterIP')).not.toContain('externalTrafficPolicy');
    expect(find(rendered, 'NetworkPolicy notify-carillon-api')).toMatchObject({
      spec: { ingress: expect.arrayContaining([{ ports: [{ port: 'bounces' }] }]) },
    });
    expect(JSON.stringify(renderChart(REQUIRED))).not.toMatch(/bounce/i);
  });

  it('gives a pod the time that a process takes to stop', () => {
    for (const { spec } of all.filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[]) {
      const pod = spec!.template.spec!;
      const wait = Number(pod.containers[0]!.lifecycle?.preStop?.exec?.command?.[1] ?? 0);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + STOP_MS / 1000);
    }
  });

  it('scales workers by a metric that the service has', () => {
    const scaler = find(all, 'HorizontalPodAutoscaler notify-carillon-worker');
    const scaled = find(renderChart(KEDA), 'ScaledObject notify-carillon-worker');
    const metric = 'carillon_queue_oldest_ready_job_seconds';
    const metrics = [{ external: { metric: { name: metric }, target: { type: 'Value', value: '30' } } }];
    const triggers = [{ metadata: { query: `max(${metric}{namespace="here"})`, threshold: '30' } }];
    const scaleTargetRef = { name: 'notify-carillon-worker' };
    expect(scaler).toMatchObject({ spec: { scaleTargetRef: { ...scaleTargetRef, kind: 'Deployment' }, metrics } });
    expect(scaled).toMatchObject({ spec: { scaleTargetRef, triggers } });
    expect(textOf('src/platform/telemetry/metrics.ts')).toContain(`'${metric}'`);
    expect(findWorkload(all, 'Deployment notify-carillon-worker').spec.replicas).toBeUndefined();
  });

  it('migrates before the other objects exist, with a Secret of its own', () => {
    const hook = { 'helm.sh/hook': 'pre-install,pre-upgrade' };
    const job = findWorkload(all, 'Job notify-carillon-migrate');
    const secret = find(all, 'Secret notify-carillon-migrate') as Manifest;
    expect([job.metadata.annotations, secret.metadata.annotations]).toEqual([
      expect.objectContaining(hook),
      expect.objectContaining(hook),
    ]);
    const [jobWeight, secretWeight] = [job, secret].map((each) =>
      Number(each.metadata.annotations!['helm.sh/hook-weight']),
    );
    expect(secretWeight).toBeLessThan(jobWeight!);
    expect(podOf(job).containers[0]).toMatchObject({ args: ['migrate'] });
  });

  it('lets the migration reach names and the database only, and nobody reach a worker', () => {
    const plain = renderChart(REQUIRED);
    const policy = (name: string) => (find(plain, `NetworkPolicy notify-carillon-${name}`) as NetworkPolicy).spec!;
    const ports = policy('migrate').egress!.flatMap((rule) => rule.ports?.map(({ port }) => port));
    expect(ports).toEqual([53, 53, 5432]);
    expect(policy('worker')).toMatchObject({ policyTypes: ['Ingress', 'Egress'], ingress: [] });
    expect(policy('api').ingress).toEqual([{ ports: [{ port: 'http' }] }]);
  });

  it('pins the image by digest, or takes the version of the package', () => {
    const imageOf = (manifests: Manifest[]) =>
      podOf(findWorkload(manifests, 'Deployment notify-carillon-api')).containers[0]!.image;
    expect(imageOf(all)).toBe(`registry.test/carillon@sha256:${'0'.repeat(64)}`);
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(imageOf(renderChart(REQUIRED))).toBe(`carillon:${version}`);
    expect(chart.appVersion).toBe(version);
  });

  it('starts new pods when a secret of the chart changes', () => {
    const sumOf = (url: string) => {
      const api = findWorkload(renderChart({ ...REQUIRED, database: { url } }), 'Deployment notify-carillon-api');
      return api.spec.template.metadata!.annotations!['checksum/secret'];
    };
    expect(sumOf('postgres://a/b')).not.toBe(sumOf('postgres://a/c'));
  });

  it('sends the Service to the port that the API has', () => {
    const { spec } = find(all, 'Service notify-carillon-api') as Service;
    expect(spec!.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  });

  it('would be refused with a field that Kubernetes does not know, a wrong type or a missing field', () => {
    const [good] = renderChart(REQUIRED);
    const broken = (change: (spec: Record<string, unknown>) => void) => {
      const manifest = structuredClone(good!);
      change(manifest.spec as Record<string, unknown>);
      return typeProblems([manifest]);
    };
    expect(broken((spec) => (spec.replica = 2))[0]).toMatch(
      /^Deployment notify-carillon-api: .*"replica"' does not exist/,
    );
    expect(broken((spec) => (spec.replicas = '2'))[0]).toMatch(/'string' is not assignable to type 'number'/);
    expect(broken((spec) => delete spec.selector)[0]).toMatch(/'selector' is missing/);
  });
});

it('interprets no function of Helm that the chart does not use', () => {
  const templates = readdirSync(join(root, 'ops/helm/carillon/templates'));
  const text = templates.map((file) => textOf(join('ops/helm/carillon/templates', file))).join('\n');
  const actions = [...text.matchAll(/\{\{[^}]*\}\}/g)].join(' ');
  const unused = Object.keys(FUNCTIONS).filter((name) => !new RegExp(`\\b${name}\\b`).test(actions));
  expect(unused).toEqual([]);
});
