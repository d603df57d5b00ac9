import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { read } from '../tidy/project.ts';
import {
  dashboard,
  dashboardQueries,
  hasTool,
  OBSERVABILITY,
  observability,
  promtool,
} from '../support/prometheus.ts';

const TITLES = dashboard().panels.map(({ title }) => title);

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly image: string; readonly volumes: readonly string[] }>
  >;
}

describe('the dashboard', () => {
  it('has panels of its own, each with a query unless it is a row', () => {
    const { panels } = dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const empty = panels.filter(({ type, targets = [] }) => type !== 'row' && targets.length === 0);
    expect(empty).toEqual([]);
  });

  it('has the panels that the runbook names', () => {
    const emphasised = read('docs/runbook.md').matchAll(/(?<!\w)_([^_]+)_(?!\w)/g);
    const panels = Array.from(emphasised, ([, name = '']) => name);
    expect(panels.length).toBeGreaterThan(20);
    expect(panels.filter((name) => !TITLES.includes(name))).toEqual([]);
  });

  it.runIf(hasTool('promtool'))('has queries that promtool can read', () => {
    const rules = dashboardQueries().map((expr, index) => ({ record: `query_${index}`, expr }));
    expect(rules.length).toBeGreaterThan(40);
    const file = path.join(tmpdir(), `touchline-queries-${process.pid}.yml`);
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { code, output } = promtool(['check', 'rules', file]);
    rmSync(file);
    expect({ code, output }).toMatchObject({ code: 0 });
  });
});

describe('the compose file', () => {
  const { services } = observability('docker-compose.yml') as Compose;

  it('names each image by an exact tag', () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/^[\w/]+:v?\d+\.\d+\.\d+$/);
  });

  it('mounts files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) =>
      volumes.flatMap((volume) => /^(\.\/[^:]+):/.exec(volume)?.[1] ?? []),
    );
    expect(mounted).toHaveLength(4);
    expect(mounted.filter((file) => !existsSync(path.join(OBSERVABILITY, file)))).toEqual([]);
  });

  it('provisions the data source that the dashboard uses', () => {
    const source = 'grafana/provisioning/datasources/prometheus.yml';
    const { datasources } = observability(source) as { datasources: readonly { uid: string }[] };
    const used = JSON.stringify(dashboard()).match(/"uid":"touchline-[^"]+"/g) ?? [];
    expect(new Set(used)).toEqual(new Set(datasources.map(({ uid }) => `"uid":"${uid}"`)));
  });
});
