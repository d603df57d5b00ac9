/** The files of a backtest in its folder: the result, its tables, and the page that shows it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { foreignJson } from '../../lib/foreign-text.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { compareHtml, reportHtml } from '../../research/report/html.ts';
import { tablesOf } from '../../research/result-tables.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { builtText } from '../pages/built-pages.ts';
import { TABLE_FORMATS } from '../../research/table-formats.ts';
import { writeTable } from './export.ts';
import { RESULT_HEAD } from '../../research/result.ts';

const RESULT = 'backtest.json';

/** The page of a result, or its folder where the page is missing, and why it is; null if it is not. */
interface Written {
  readonly path: string;
  readonly missing: string | null;
}

/**
 * Writes `backtest.json`, its tables and `report.html` into a folder, which is made if it is not there. Without a built page the result is
 * written all the same; the answer then says why there is no page.
 */
export async function writeBacktest(folder: string, report: BacktestReport): Promise<Written> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, RESULT), `${JSON.stringify(report)}\n`);
  for (const table of tablesOf(report)) for (const format of TABLE_FORMATS) writeTable(folder, table, format);
  return writePage(path.join(folder, 'report.html'), (shell) => reportHtml(report, shell));
}

/**
 * Writes `compare.html` into a folder, from the results in two others. Rejects with TouchlineError (`recording`) if a folder has no result
 * that can be read.
 */
export async function writeComparison(folder: string, a: string, b: string): Promise<Written> {
  const reports = [readBacktest(a), readBacktest(b)] as const;
  mkdirSync(folder, { recursive: true });
  return writePage(path.join(folder, 'compare.html'), (shell) => compareHtml(...reports, shell));
}

async function writePage(file: string, html: (shell: string) => string): Promise<Written> {
  const shell = await builtText('report.html');
  if ('missing' in shell)
    return { path: path.dirname(file), missing: `${file} was not written: ${shell.missing}` };
  writeFileSync(file, html(shell.text));
  return { path: file, missing: null };
}

/** The head of a result. The rest is as the program of this version wrote it. */
const HEAD = z.looseObject({
  result: z.looseObject({
    format: z.literal(RESULT_HEAD.format),
    version: z.literal(RESULT_HEAD.version),
  }),
  summaries: z.array(z.looseObject({})),
  tries: z.number(),
  warnings: z.array(z.string()),
});

function readBacktest(folder: string): BacktestReport {
  const file = path.join(folder, RESULT);
  let value: unknown;
  try {
    value = foreignJson(readFileSync(file, 'utf8'));
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
