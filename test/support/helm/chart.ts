import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../../../src/platform/config/root.js';
import { Renderer } from './render.js';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

type Values = Record<string, unknown>;

const CHART = join(root, 'ops', 'helm', 'carillon');
const textOf = (file: string) => readFileSync(join(CHART, file), 'utf8');

export const chart = parse(textOf('Chart.yaml')) as { name: string; version: string; appVersion: string };
export const defaults = parse(textOf('values.yaml')) as Values;

const templates = readdirSync(join(CHART, 'templates'));
const renderer = new Renderer(Object.fromEntries(templates.map((file) => [file, textOf(join('templates', file))])));
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
const isValid = ajv.compile(JSON.parse(textOf('values.schema.json')) as object);

/** What `helm template NAME ops/helm/carillon` prints, as objects: values are merged and checked first, as Helm does. */
export function renderChart(values: Values, release = 'notify'): Manifest[] {
  const all = merge(defaults, values);
  if (!isValid(all)) throw new Error(ajv.errorsText(isValid.errors, { dataVar: 'values' }));
  const about = {
    Values: all,
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: release, Namespace: 'here', Service: 'Helm' },
  };
  renderer.render('NOTES.txt', about);
  return templates
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => manifestsOf(renderer.render(file, about), file));
}

function manifestsOf(text: string, file: string): Manifest[] {
  return parseAllDocuments(text, { uniqueKeys: true }).flatMap((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`${file}: ${problem.message}\n${text}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest ? [manifest] : [];
  });
}

/** Helm merges maps and replaces everything else; null removes a default. */
function merge(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete merged[key];
    else merged[key] = isMap(value) && isMap(base[key]) ? merge(base[key], value) : value;
  }
  return merged;
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
