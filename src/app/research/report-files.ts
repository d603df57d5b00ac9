/** The files of a backtest in its folder: the result, its tables, and the page that shows it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { TouchlineError } from '../../domain/errors.ts';
import { compareHtml, reportHtml } from '../../research/report/html.ts';
import { tablesOf } from '../../research/result-tables.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { builtPage, ROOT_FOLDER } from '../adapters/own-files.ts';
import { TABLE_FORMATS, writeTable } from './export.ts';

const RESULT = 'backtest.json';

/** A page that was not written, and why; null if it was. */
type Missing = string | null;

/**
 * Writes `backtest.json`, its tables and `report.html` into a folder, which is made if it is not there. Without a built page the result is
 * written all the same; the answer then says why there is no page.
 */
export function writeBacktest(folder: string, report: BacktestReport): Missing {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, RESULT), `${JSON.stringify(report)}\n`);
  for (const table of tablesOf(report)) for (const format of TABLE_FORMATS) writeTable(folder, table, format);
  return writePage(path.join(folder, 'report.html'), (shell) => reportHtml(report, shell));
}

/**
 * Writes `compare.html` into a folder, from the results in two others. Throws TouchlineError (`recording`) if a folder has no result
 * that can be read.
 */
export function writeComparison(folder: string, a: string, b: string): Missing {
  const reports = [readBacktest(a), readBacktest(b)] as const;
  mkdirSync(folder, { recursive: true });
  return writePage(path.join(folder, 'compare.html'), (shell) => compareHtml(...reports, shell));
}

function writePage(file: string, html: (shell: string) => string): Missing {
  const shell = pageShell();
  if ('missing' in shell) return `${file} was not written: ${shell.missing}`;
  writeFileSync(file, html(shell.text));
  return null;
}

/** The head of a result. The rest is as the program of this version wrote it. */
const HEAD = z.looseObject({
  result: z.looseObject({ format: z.literal('touchline-backtest'), version: z.literal(1) }),
  summaries: z.array(z.looseObject({})),
  tries: z.number(),
  warnings: z.array(z.string()),
});

function readBacktest(folder: string): BacktestReport {
  const file = path.join(folder, RESULT);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TouchlineError(
      'recording',
      `${file} cannot be read: ${reason}. touchline backtest --out writes it.`,
    );
  }
  if (!HEAD.safeParse(value).success)
    throw new TouchlineError('recording', `${file} is not the result of a backtest of this version`);
  return value as BacktestReport;
}

export type Shell = { readonly text: string } | { readonly missing: string };

/** The built page. A package brings it; a clone builds it when its sources changed. */
export function pageShell(): Shell {
  const file = builtPage('report', versionOfSources);
  if (!existsSync(file)) {
    const missing = build(file);
    if (missing !== null) return { missing };
  }
  return { text: readFileSync(file, 'utf8') };
}

/** The folders and files that the page is built from. */
const SOURCES = '{src/{web,research,domain,lib}/**/*.{ts,tsx,css},scripts/report-page.ts,package-lock.json}';

function versionOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT_FOLDER }).sort())
    hash.update(file).update(readFileSync(path.join(ROOT_FOLDER, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Builds the page; the answer says why it cannot be built. */
function build(file: string): Missing {
  const args = [path.join(ROOT_FOLDER, 'scripts/report-page.ts'), file];
  const { status, stderr, error } = spawnSync(process.execPath, args, { cwd: ROOT_FOLDER, encoding: 'utf8' });
  if (status === 0) return null;
  if (!existsSync(path.join(ROOT_FOLDER, 'node_modules/vite')))
    return 'the page is built with development packages, which `npm ci` installs';
  return `the page cannot be built: ${error?.message ?? stderr}`;
}
