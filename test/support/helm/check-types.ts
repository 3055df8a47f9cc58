import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../../src/platform/config/root.js';
import type { Manifest } from './chart.js';

/** Kinds that Kubernetes has, by version. `kubernetes-types` is made from its schema. */
const MODULES: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};

/** Kinds that others add, as far as the chart uses them. */
const ADDED = `
import type { ObjectMeta, LabelSelector } from 'kubernetes-types/meta/v1';
import type { HorizontalPodAutoscalerBehavior } from 'kubernetes-types/autoscaling/v2';
interface ServiceMonitor {
  apiVersion: 'monitoring.coreos.com/v1'; kind: 'ServiceMonitor'; metadata: ObjectMeta;
  spec: { selector: LabelSelector; endpoints: { port: string; path?: string; interval?: string }[] };
}
interface ScaledObject {
  apiVersion: 'keda.sh/v1alpha1'; kind: 'ScaledObject'; metadata: ObjectMeta;
  spec: {
    scaleTargetRef: { name: string }; minReplicaCount?: number; maxReplicaCount?: number;
    advanced?: { horizontalPodAutoscalerConfig?: { behavior?: HorizontalPodAutoscalerBehavior } };
    triggers: { type: 'prometheus'; metricType: 'Value'; metadata: { serverAddress: string; query: string; threshold: string } }[];
  };
}
`;

// In the folder of this repository, so that TypeScript finds the package. The file is never written.
const FILE = join(root, 'manifests.check.ts');

/**
 * Compares manifests with the types of Kubernetes: each becomes a literal of its type. TypeScript then refuses unknown fields, wrong types
 * and missing fields. Returns what it refuses, with the name of the object.
 */
export function typeProblems(manifests: Manifest[]): string[] {
  const lines = manifests.map(
    (manifest, n) => `export const m${n}: ${typeOf(manifest)} = ${JSON.stringify(manifest)};`,
  );
  const head = ADDED.trim().split('\n').length;
  const text = [ADDED.trim(), ...lines].join('\n');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, types: [], lib: ['lib.es2022.d.ts'], skipLibCheck: true },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === FILE || fileExists.call(host, file);
  host.getSourceFile = (file, target, ...rest) =>
    file === FILE ? ts.createSourceFile(file, text, target, true) : getSourceFile.call(host, file, target, ...rest);
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE)!;
  const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return problems.map(({ start = 0, messageText }) => {
    const { kind, metadata } = manifests[source.getLineAndCharacterOfPosition(start).line - head] ?? {};
    return `${kind} ${metadata?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function typeOf({ apiVersion, kind }: Manifest): string {
  const path = MODULES[apiVersion];
  return path ? `import('kubernetes-types/${path}').${kind}` : kind;
}
