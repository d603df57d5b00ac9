/** Long runs in pieces: each piece leaves a file, and a last call judges them together. */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { deserialize, serialize } from 'node:v8';

export const writePiece = (file: string, piece: unknown): void => writeFileSync(file, serialize(piece));

export const readPieces = <Piece>(files: readonly string[]): Piece[] =>
  files.map((file) => deserialize(readFileSync(file)) as Piece);

/** Whole numbers of a command line, by their names. Ends the process on anything else. */
export function wholeNumbers<Name extends string>(
  command: string,
  texts: Readonly<Record<Name, string>>,
): Record<Name, number> {
  const values = Object.entries<string>(texts).map(([name, text]) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 0) return [name, value];
    process.stderr.write(`${command}: --${name}: expected a whole number, not ${text}\n`);
    process.exit(2);
  });
  return Object.fromEntries(values) as Record<Name, number>;
}
