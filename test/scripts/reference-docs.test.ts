import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as pricing from '../../src/strategy/pricing/index.ts';
import * as sdk from '../../src/strategy/sdk.ts';
import * as testing from '../../src/testing/index.ts';
import { eventView, selectionView } from '../strategy/support.ts';
import { checkedBlock, comparable, type Example } from '../support/examples.ts';
import { referencePages } from '../../scripts/reference-docs.ts';
import { patient } from '../support/patience.ts';
import { read, ROOT } from '../tidy/project.ts';

const FOLDER = 'docs/strategies/reference';
const PAGES = readdirSync(path.join(ROOT, FOLDER)).map((name) => read(`${FOLDER}/${name}`));

/** Modules that export all names of the pages: `touchline/strategy` has those of `touchline/pricing`, too. */
const SOURCES = { strategy: 'src/strategy/sdk.ts', testing: 'src/testing/index.ts' };

/** A name of the reference: a heading, its text, its signature and its example. */
const SECTION = /^### `(\w+)`( type)?\n\n([^]*?)\n\n```ts\n([^]*?)```\n\n```ts\n([^]*?)```$/gm;

interface Entry extends Example {
  readonly isType: boolean;
  readonly source: string;
}

const ENTRIES: readonly Entry[] = PAGES.flatMap((page) =>
  Array.from(page.matchAll(SECTION), ([, name = '', type, , , code = '']) => ({
    name,
    code,
    isType: type !== undefined,
    source: page.startsWith('# `touchline/testing`') ? SOURCES.testing : SOURCES.strategy,
  })),
);

const folder = mkdtempSync(path.join(tmpdir(), 'reference-'));
afterAll(() => rmSync(folder, { recursive: true }));

const homeWins = sdk.settlementGrid((home, away) => (home > away ? sdk.WIN : sdk.LOSS));
const draws = sdk.settlementGrid((home, away) => (home === away ? sdk.WIN : sdk.LOSS));
const awayWins = sdk.settlementGrid((home, away) => (home < away ? sdk.WIN : sdk.LOSS));

/** The view that every example may use. */
function sampleView(): sdk.EventView {
  const position = { ifWinMicros: 26e6, ifLoseMicros: -20e6 };
  const home = selectionView([[2.3, 100]], [[2.36, 100]], {
    outcome: 'h',
    grid: homeWins,
    position,
    mids: [1_699_999_000_000, 0.42, 1_699_999_990_000, 0.43],
  });
  const others = [
    selectionView([[3.3, 100]], [[3.45, 100]], { outcome: 'd', grid: draws }),
    selectionView([[3.4, 100]], [[3.6, 100]], { outcome: 'a', grid: awayWins }),
    selectionView([[1.98, 100]], [[2.02, 100]], { outcome: 'over,2.5', grid: sdk.totalGrid('over', 10) }),
  ];
  const holdings = [{ selectionId: home.selectionId, position, grid: homeWins }];
  return eventView([home, ...others], { holdings });
}

/** All examples as the parts of one function, so that one compilation checks them. */
function examplesModule(): string {
  return [
    `import { rxjs, z } from ${JSON.stringify(path.join(ROOT, SOURCES.strategy))};`,
    ...ENTRIES.map(
      ({ name, isType, source }) =>
        `import ${isType ? 'type ' : ''}{ ${name} } from ${JSON.stringify(path.join(ROOT, source))};`,
    ),
    'type Check = (name: string, actual: unknown, text: string) => void;',
    'export function examples(view: EventView, selection: SelectionView, claim: Check): void {',
    ...ENTRIES.map(checkedBlock),
    '}',
  ].join('\n');
}

const file = path.join(folder, 'examples.mts');
const module = examplesModule();
beforeAll(() => writeFileSync(file, module));

describe('docs/strategies/reference', () => {
  it('lists every name that the modules export', () => {
    const values = ENTRIES.filter(({ isType }) => !isType).map(({ name }) => name);
    const exported = new Set([...Object.keys(sdk), ...Object.keys(pricing), ...Object.keys(testing)]);
    // Both are whole packages with documents of their own.
    for (const name of ['rxjs', 'z']) exported.delete(name);
    expect(values.sort()).toEqual([...exported].sort());
    expect(ENTRIES.length).toBeGreaterThan(150);
  });

  it('has an example below each signature', () => {
    const headings = PAGES.flatMap((page) => page.match(/^### /gm) ?? []);
    expect(ENTRIES).toHaveLength(headings.length);
  });

  it('has examples that the compiler accepts', () => {
    const typeRoots = [path.join(ROOT, 'node_modules/@types')];
    const compilerOptions = { typeRoots, rewriteRelativeImportExtensions: false };
    const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files: [file] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = path.join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    const lines = module.split('\n');
    const faults = stdout.replaceAll(/^.*\((\d+),\d+\)/gm, (_, line) => lines[Number(line) - 1] ?? '');
    expect(faults).toBe('');
  });

  it('has examples whose comments are their values', async () => {
    const { examples } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      examples: (
        view: sdk.EventView,
        selection: sdk.SelectionView | undefined,
        claim: (name: string, actual: unknown, text: string) => void,
      ) => void;
    };
    const view = sampleView();
    const compared: [unknown, unknown][] = [];
    examples(view, view.selections[0], (name, value, text) => {
      const { claimed, actual } = comparable(text, value);
      compared.push([
        { name, value: claimed },
        { name, value: actual },
      ]);
    });
    expect(compared.length).toBeGreaterThan(80);
    expect(compared.map(([, actual]) => actual)).toEqual(compared.map(([claimed]) => claimed));
  });
});

it(
  'the pages show the docstrings as they are (npm run docs:reference writes them)',
  { timeout: patient(60_000) },
  async () => {
    const pages = await referencePages();
    expect(pages.size).toBe(PAGES.length);
    for (const [name, text] of pages) expect(read(`${FOLDER}/${name}`)).toBe(text);
  },
);
