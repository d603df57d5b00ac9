import { describe, expect, it } from 'vitest';
import { importedNames, parse, PRODUCT_MODULES, read } from './project.ts';

/** Folders whose code is a function of its arguments. */
const PURE = /^(src\/(lib|domain|strategy|risk|ledger|read-model|simulator\/core)|strategies)\//;

/** Imports that would bring streams, the operating system or a clock into pure code. */
const IMPURE = [/^rxjs(\/|$)/, /^node:/, /\/ports\/clock\.ts$/, /\/ports\//, /\/adapters\//];

function impureImports(file: string, text: string): string[] {
  const names = importedNames(parse(file, text));
  return names
    .filter((name) => IMPURE.some((pattern) => pattern.test(name)))
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

  it('import no rxjs, no node:* and no clock', () => {
    const pure = PRODUCT_MODULES.filter((file) => PURE.test(file));
    expect(pure.length).toBeGreaterThan(15);
    expect(pure.flatMap((file) => impureImports(file, read(file)))).toEqual([]);
  });
});
