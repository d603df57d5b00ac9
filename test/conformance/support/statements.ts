import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'test/conformance';

/** A statement of the specification, as `docs/conformance.md` lists it. */
export interface Statement {
  readonly number: number;
  readonly text: string;
  /** `file: title` of each test that proves it. The list is empty when the statement cannot apply. */
  readonly proofs: readonly string[];
  /** Why it cannot apply, null when it does. */
  readonly reason: string | null;
}

/** The rows of the document, in order. */
export function statements(): readonly Statement[] {
  const rows = readFileSync('docs/conformance.md', 'utf8').matchAll(/^\| *(\d+) *\| (.*?) *\| (.*?) *\|$/gm);
  return [...rows].map(([, number = '', text = '', proof = '']) => {
    const reason = /^cannot apply: (.+)$/.exec(proof)?.[1] ?? null;
    const proofs = reason === null ? proof.split('<br>').map((one) => one.replaceAll('`', '')) : [];
    return { number: Number(number), text, proofs, reason };
  });
}

/** Every conformance test as `file: title`, read from the source files. */
export function provingTests(): ReadonlySet<string> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  return new Set(
    files.flatMap((name) => titlesIn(name).map((title) => `${name.replace('.test.ts', '')}: ${title}`)),
  );
}

function titlesIn(name: string): string[] {
  const source = readFileSync(join(FOLDER, name), 'utf8');
  return [...source.matchAll(/(?:\bit|\]\))\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, title = '']) => title);
}
