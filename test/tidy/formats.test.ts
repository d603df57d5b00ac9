import { expect, it } from 'vitest';
import { projectFiles, read } from './project.ts';

/** Where people read figures: pages, the terminal, and the words that both share. */
const FOLDERS = ['src/web', 'src/cli', 'src/read-model', 'src/research/report'];

/** They write numbers for programs. */
const FOR_PROGRAMS = [
  'src/cli/commands/daemon/history.ts',
  'src/read-model/usdt.ts',
  'src/research/report/payload.ts',
  'src/web/components/sparkline-points.ts',
];

const FORMATTING = /\.(?:toFixed|toPrecision|toExponential|toLocale\w*)\(|\bIntl\b/g;

const formattingIn = (text: string): readonly string[] => text.match(FORMATTING) ?? [];

it('figures for people are written by src/lib/formats.ts alone', () => {
  const files = projectFiles(...FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`));
  expect(files.length).toBeGreaterThan(100);
  const own = files.filter((file) => formattingIn(read(file)).length > 0);
  expect(own).toEqual(FOR_PROGRAMS);
});

it.each([
  'price.toFixed(2)',
  'value?.toFixed(1)',
  'new Intl.NumberFormat()',
  'amount.toLocaleString()',
  'p.toPrecision(2)',
])('a format of its own is seen: %s', (line) => {
  expect(formattingIn(line)).not.toEqual([]);
});
