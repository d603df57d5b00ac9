import { describe, expect, it } from 'vitest';
import { cruise, cruisePlanted, topFolders, unseen } from './cruise.ts';
import { PRODUCT_MODULES, ROOT } from './project.ts';

/** The allowed imports of each folder of src, besides itself and lib, written here again as a check on the check. */
const ALLOWED: Readonly<Record<string, string>> = {
  lib: '',
  domain: '',
  ports: 'domain',
  venue: 'ports domain',
  market: 'account ports domain',
  strategy: 'domain',
  orders: 'account ports domain',
  account: 'domain',
  risk: 'account domain',
  ledger: 'account domain',
  storage: 'ports domain',
  recording: 'ports domain',
  'simulator/core': 'domain',
  'simulator/server': 'ports domain simulator/core',
  ops: 'read-model ports domain',
  engine: 'market strategy orders risk ledger account ports domain',
  'read-model': 'engine account domain',
  notify: 'ports domain',
  testing: 'strategy engine domain',
  cli: 'app read-model recording ops ports domain',
  app: 'domain ports venue market strategy orders account risk ledger storage recording engine read-model notify testing simulator/core simulator/server ops',
};

const FOLDERS = Object.keys(ALLOWED);

function mayImport(from: string, to: string): boolean {
  return from === to || to === 'lib' || (ALLOWED[from]?.split(' ').includes(to) ?? false);
}

/** The file with which one folder imports another: `src/a/to-b.ts`. */
function crossing(from: string, to: string): string {
  return `src/${from}/to-${to.replace('/', '-')}.ts`;
}

function crossingText(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length);
  return `import type { X } from '${up}${to}/x.ts';\nexport type Y = X;\n`;
}

/** A project in which every folder imports every other one, by types only. */
function everyCrossing(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const from of FOLDERS) {
    files[`src/${from}/x.ts`] = 'export type X = string;\n';
    for (const to of FOLDERS) files[crossing(from, to)] = crossingText(from, to);
  }
  return files;
}

const pairs = FOLDERS.flatMap((from) => FOLDERS.map((to) => ({ from, to })));

describe('the boundary check on this project', () => {
  const real = cruise(ROOT, topFolders([...PRODUCT_MODULES, 'test/']));

  it('saw every module, by name and number', () => {
    expect(PRODUCT_MODULES.length).toBeGreaterThan(20);
    expect(unseen(PRODUCT_MODULES, real.modules)).toEqual([]);
    expect([...real.modules].sort()).toEqual(PRODUCT_MODULES);
  });

  it('finds no import against the layout and no cycle', () => {
    expect(real.violations).toEqual([]);
  });

  it('would fail when a module was not seen', () => {
    const seen = real.modules.slice(1);
    expect(unseen(PRODUCT_MODULES, seen)).toEqual(real.modules.slice(0, 1));
  });
});

describe('the boundary check on planted imports between folders', () => {
  const planted = cruisePlanted(everyCrossing());
  const ofLayout = planted.violations.filter((violation) => !violation.startsWith('face-of-'));
  const reported = new Set(ofLayout.map((violation) => violation.replace(/^[^:]*: /, '')));
  const edge = (from: string, to: string): string => `${crossing(from, to)} -> src/${to}/x.ts`;

  it('reports each forbidden one, including type-only imports', () => {
    const missed = pairs.filter(({ from, to }) => !mayImport(from, to) && !reported.has(edge(from, to)));
    expect(missed).toEqual([]);
  });

  it('reports no allowed one', () => {
    const wrongly = pairs.filter(({ from, to }) => mayImport(from, to) && reported.has(edge(from, to)));
    expect(wrongly).toEqual([]);
  });
});

describe('the boundary check on other planted mistakes', () => {
  const { violations } = cruisePlanted({
    'src/domain/a.ts': "import { b } from './b.ts';\nexport const a = (): unknown => b;\n",
    'src/domain/b.ts': "import { a } from './a.ts';\nexport const b = (): unknown => a;\n",
    'src/ports/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'src/ports/b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;\n",
    'src/domain/mint-approval.ts': 'export const mint = 1;\n',
    'src/risk/approve.ts': "export { mint } from '../domain/mint-approval.ts';\n",
    'src/risk/other.ts': "export { mint } from '../domain/mint-approval.ts';\n",
    'src/orders/manager.ts': "export const m = await import('../domain/mint-approval.ts');\n",
    'src/app/compose.ts': "export { mint } from '../domain/mint-approval.ts';\n",
    'src/ledger/streams.ts': "export { map } from 'rxjs';\n",
    'src/risk/files.ts': "import fs from 'node:fs';\nexport const f = fs;\n",
    'src/lib/sockets.ts': "import type { WebSocket } from 'ws';\nexport type W = WebSocket;\n",
    'src/strategy/schema.ts': "export { z } from 'zod';\n",
    'src/market/streams.ts': "export { map } from 'rxjs';\n",
    'src/simulator/core/http.ts': "import http from 'node:http';\nexport const h = http;\n",
    'src/simulator/server/http.ts': "import http from 'node:http';\nexport const h = http;\n",
    'src/app/builtin.ts': "export { it } from 'vitest';\n",
    'src/orders/api.ts': 'export const api = 1;\n',
    'src/orders/state/orders.ts': "export { api } from '../api.ts';\n",
    'src/engine/by-face.ts': "export { api } from '../orders/api.ts';\n",
    'src/engine/past-face.ts': "export { api } from '../orders/state/orders.ts';\n",
    'src/lost/a.ts': "import { f } from '../risk/files.ts';\nexport const g = f;\n",
    'src/venue/missing.ts': "export { nothing } from './nowhere.ts';\n",
    'src/strategy/sdk.ts': 'export const sdk = 1;\n',
    'strategies/good.ts': "export { sdk } from '../src/strategy/sdk.ts';\n",
    'strategies/domain.ts': "export { mint } from '../src/domain/mint-approval.ts';\n",
    'strategies/loader.ts': "export { z } from '../src/strategy/schema.ts';\n",
    'strategies/package.ts': "export { z } from 'zod';\n",
    'strategies/node.ts': "import os from 'node:os';\nexport const o = os;\n",
    'test/support.ts': 'export const support = 1;\n',
    'src/venue/test.ts': "export { support } from '../../test/support.ts';\n",
  });

  it.each([
    'no-cycles: src/domain/a.ts -> src/domain/b.ts',
    'no-cycles: src/ports/a.ts -> src/ports/b.ts',
    'only-risk-approves: src/risk/other.ts -> src/domain/mint-approval.ts',
    'only-risk-approves: src/orders/manager.ts -> src/domain/mint-approval.ts',
    'only-risk-approves: src/app/compose.ts -> src/domain/mint-approval.ts',
    'pure-folders-have-no-edges: src/ledger/streams.ts -> .*rxjs',
    'pure-folders-have-no-edges: src/risk/files.ts -> fs',
    'pure-folders-have-no-edges: src/lib/sockets.ts -> .*ws',
    'pure-folders-have-no-edges: src/simulator/core/http.ts -> http',
    'product-code-needs-no-development-packages: src/app/builtin.ts -> .*vitest',
    'face-of-orders: src/engine/past-face.ts -> src/orders/state/orders.ts',
    'layout-unknown-folder: src/lost/a.ts -> ',
    'no-unresolvable-imports: src/venue/missing.ts -> ./nowhere.ts',
    'strategies-import-the-sdk-only: strategies/domain.ts -> src/domain/mint-approval.ts',
    'strategies-import-the-sdk-only: strategies/loader.ts -> src/strategy/schema.ts',
    'strategies-import-the-sdk-only: strategies/package.ts -> .*zod',
    'strategies-import-the-sdk-only: strategies/node.ts -> os',
    'product-code-imports-no-tests: src/venue/test.ts -> test/support.ts',
  ])('reports %s', (expected) => {
    const pattern = new RegExp(`^${expected}`);
    expect(violations.filter((violation) => pattern.test(violation))).not.toEqual([]);
  });

  it.each([
    'src/risk/approve.ts',
    'src/engine/by-face.ts',
    'src/orders/state/orders.ts',
    'src/strategy/schema.ts',
    'src/market/streams.ts',
    'src/simulator/server/http.ts',
    'strategies/good.ts',
  ])('reports nothing of %s, which is in order', (file) => {
    expect(violations.filter((violation) => violation.includes(`: ${file} ->`))).toEqual([]);
  });
});
