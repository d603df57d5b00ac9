import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

/** The folder of rules, dashboard and configuration. */
export const OBSERVABILITY = path.resolve(import.meta.dirname, '../../observability');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

const textOf = (file: string): string => readFileSync(path.join(OBSERVABILITY, file), 'utf8');

/** A file of `observability`, read as YAML, of which JSON is a part. */
export const observability = (file: string): unknown => parse(textOf(file));

/** Every alerting rule, in the order of the file. */
export const alertRules = (): readonly AlertRule[] =>
  (observability('alerts.yml') as RuleFile).groups.flatMap(({ rules }) => rules);

/** An age that has to pass before an alert fires. */
const AGE = /\b(touchline_(?:oldest_unknown_order|not_quoting)_seconds) > \d+/g;

/** The rules as text in which no time has to pass before an alert fires. */
export const rulesWithoutWaiting = (): string =>
  textOf('alerts.yml')
    .replace(/^( +for: ).+$/gm, '$10s')
    .replace(AGE, '$1 > 0');

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly definition: string }[] };
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
}

export const dashboard = (): Dashboard => observability('grafana/dashboards/touchline.json') as Dashboard;

/** Every query of the dashboard as Grafana sends it. */
export const dashboardQueries = (): readonly string[] =>
  [
    ...dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard().annotations.list.map(({ expr }) => expr),
  ].map((expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));

/** Names of metrics in queries: series of Touchline and of its process. */
export const metricsIn = (...queries: readonly string[]): readonly string[] => [
  ...new Set(queries.flatMap((query) => query.match(/\b(?:touchline|process|nodejs)_\w+/g) ?? [])),
];

/** Names of the series that an exposition can have, by its lines `# TYPE`. */
export function seriesIn(exposition: string): ReadonlySet<string> {
  const types = exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Set(
    Array.from(types, ([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
    ).flat(),
  );
}

/** Whether a tool of Prometheus is installed. */
export const hasTool = (name: 'promtool' | 'prometheus'): boolean =>
  process.env['PATH']?.split(path.delimiter).some((folder) => isProgram(path.join(folder, name))) ?? false;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs promtool in the folder `observability`. Returns its exit code and everything that it wrote. */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: OBSERVABILITY,
    input,
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}
