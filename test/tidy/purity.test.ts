import { describe, expect, it } from 'vitest';
import { importedNames, parse, PRODUCT_MODULES, read } from './project.ts';

/** Folders whose code is a function of its arguments. */
const PURE =
  /^(src\/(lib|domain|strategy|account|risk|ledger|read-model|testing|simulator\/core)|strategies)\//;

/** Pure files that describe streams: the stream form of a strategy. They may import rxjs and nothing else from outside. */
const STREAMS = /^src\/(strategy\/(sdk|contract|host|session|time|price-source)|testing\/strategy-run)\.ts$/;

/** Imports that would bring streams, the operating system or a clock into pure code. */
const IMPURE = [/^rxjs(\/|$)/, /^node:/, /\/ports\/clock\.ts$/, /\/ports\//, /\/adapters\//];

function impureImports(file: string, text: string): string[] {
  const names = importedNames(parse(file, text));
  return names
    .filter((name) => IMPURE.some((pattern) => pattern.test(name)))
    .filter((name) => name !== 'rxjs' || !STREAMS.test(file))
    .map((name) => `${file}: ${name}`);
}

describe('pure folders', () => {
  it.each([
    "import { map } from 'rxjs';",
    "import type { Observable } from 'rxjs';",
    "export { map } from 'rxjs/operators';",
    "import fs from 'node:fs';",
    "type Server = import('node:http').Server;",
    "const fs = await import('node:fs');",
    "import type { Clock } from '../../ports/clock.ts';",
    "import { systemClock } from '../app/adapters/system-clock.ts';",
  ])('may not contain %s', (text) => {
    expect(impureImports('planted.ts', text)).toHaveLength(1);
  });

  it('may contain rxjs, but no clock, where a file describes streams', () => {
    const texts = ["import { map } from 'rxjs';", "import type { Clock } from '../ports/clock.ts';"];
    expect(texts.flatMap((text) => impureImports('src/strategy/session.ts', text))).toEqual([
      'src/strategy/session.ts: ../ports/clock.ts',
    ]);
  });

  it('import no rxjs, no node:* and no clock', () => {
    const pure = PRODUCT_MODULES.filter((file) => PURE.test(file));
    expect(pure.length).toBeGreaterThan(15);
    expect(pure.flatMap((file) => impureImports(file, read(file)))).toEqual([]);
  });
});
