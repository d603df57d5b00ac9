/** The report as one HTML file: the built page with the result inside. It asks no host for anything. */
import { invariant } from '../../lib/assert.ts';
import type { BacktestReport } from '../summary.ts';
import { DATA_ID, packReport, type Payload } from './payload.ts';

/** Where the built page takes its data; the page has this text once. */
export const DATA_PLACE = '<!--touchline-data-->';

/** One report. Throws InvariantError if `shell` is not a built page. */
export function reportHtml(report: BacktestReport, shell: string): string {
  return pageWith({ kind: 'report', report: packReport(report) }, shell);
}

/** Two reports side by side, with what differs. Throws InvariantError if `shell` is not a built page. */
export function compareHtml(a: BacktestReport, b: BacktestReport, shell: string): string {
  return pageWith({ kind: 'compare', a: packReport(a), b: packReport(b) }, shell);
}

function pageWith(payload: Payload, shell: string): string {
  const at = shell.indexOf(DATA_PLACE);
  invariant(at >= 0, 'the built page has no place for data');
  const data = `<script type="application/json" id="${DATA_ID}">${embeddedJson(payload)}</script>`;
  return shell.slice(0, at) + data + shell.slice(at + DATA_PLACE.length);
}

/** JSON that no HTML parser can take for the end of its element, and no script parser for the end of a line. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}
