import { fromMicros } from '../../domain/money.ts';
import { wordsOf } from './proof-file.ts';
import type { ProveReport } from './prove.ts';

/** The page about a run, in Markdown. */
export function pageOf(report: ProveReport): string {
  const { convention, visible, facts, selection, price, matchedMicros } = report;
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  return [
    `# What the exchange does, ${new Date(report.atMs).toISOString().slice(0, 19)}Z`,
    '',
    `- Prices of \`against\` markets: **${convention === null ? 'unknown' : `${wordsOf(convention)} (${convention})`}**`,
    ...(report.observesOnly
      ? [`- On paper, without an order. Left for a live configuration: ${leftOf(report)}`]
      : [
          `- Our resting orders show in the \`for\` offers: \`against\` ${yes(visible.against)}, \`lay\` ${yes(visible.lay)}`,
        ]),
    `- Measured on ${selection} (best price ${price}), ${stakeInWords(report)}${report.requests} requests in ${(report.tookMs / 1000).toFixed(0)} s`,
    matchedMicros === 0
      ? '- Nothing was matched, and nothing is left open'
      : `- **${fromMicros(matchedMicros)} USDT was matched**, and is yours until it is settled; nothing is left open`,
    ...facts.flatMap(({ name, sent, seen, verdict, why }) => [
      '',
      `## ${name}: ${verdict}`,
      '',
      `- sent: ${sent}`,
      `- seen: ${seen}`,
      `- concluded: ${why}`,
    ]),
    '',
  ].join('\n');
}

const stakeInWords = ({ observesOnly, stakeMicros }: ProveReport): string =>
  observesOnly ? '' : `stake ${fromMicros(stakeMicros)} USDT, `;

const leftOf = ({ facts }: ProveReport): string =>
  facts
    .filter(({ verdict }) => verdict === 'unknown')
    .map(({ name }) => name)
    .join(', ');
