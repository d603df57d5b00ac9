import { fromMicros } from '../../domain/money.ts';
import type { Found } from './facts.ts';
import { isShown, wordsOf } from './proof-file.ts';
import type { ProveReport } from './prove.ts';

/** The page about a run, in Markdown. */
export function pageOf(report: ProveReport): string {
  const { convention, facts, selection, price, matchedMicros } = report;
  const shows = (side: 'against' | 'lay'): string => YES[String(isShown(report, side))] ?? '';
  return [
    `# What the exchange does, ${new Date(report.atMs).toISOString().slice(0, 19)}Z`,
    '',
    `- Prices of \`against\` markets: **${convention === null ? 'unknown' : `${wordsOf(convention)} (${convention})`}**`,
    ...(report.observesOnly
      ? [`- On paper, without an order. Left for a live configuration: ${leftOf(report)}`]
      : [
          `- Our resting orders show in the \`for\` offers: \`against\` ${shows('against')}, \`lay\` ${shows('lay')}`,
        ]),
    `- Measured on ${selection} (best price ${price}), ${stakeInWords(report)}${report.requests} requests in ${(report.tookMs / 1000).toFixed(0)} s`,
    matchedMicros === 0
      ? '- Nothing was matched, and nothing is left open'
      : `- **${fromMicros(matchedMicros)} USDT was matched**, and is yours until it is settled; nothing is left open`,
    ...facts.flatMap((fact) => ['', `## ${fact.name}: ${fact.verdict}`, '', ...linesOf(fact)]),
    '',
  ].join('\n');
}

const YES: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'unknown' };

/** Of what was not asked, nothing was seen or concluded. */
const linesOf = ({ sent, notAsked, seen, verdict, why }: Found): readonly string[] => [
  ...(sent === '' ? [] : [`- sent: ${sent}`]),
  ...(notAsked === '' ? [] : [`- not asked: ${notAsked}`]),
  ...(sent === '' && verdict === 'unknown'
    ? [`- because: ${why}`]
    : [`- seen: ${seen}`, `- concluded: ${why}`]),
];

const stakeInWords = ({ observesOnly, stakeMicros }: ProveReport): string =>
  observesOnly ? '' : `stake ${fromMicros(stakeMicros)} USDT, `;

const leftOf = ({ facts }: ProveReport): string =>
  facts
    .filter(({ verdict }) => verdict === 'unknown')
    .map(({ name }) => name)
    .join(', ');
