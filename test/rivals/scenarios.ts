import {
  bothAtOnce,
  cleanStop,
  copiedJournal,
  killedFirst,
  otherHeartbeat,
  secondBesideFirst,
} from './meetings.ts';
import { reboot, restart, restoreDrill, takeOver } from './returns.ts';
import type { Round } from './round.ts';

/** The acts of people with two installations, and the required results. */
export interface Scenario {
  readonly name: string;
  readonly play: (round: Round) => Promise<void>;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'second beside a first', play: secondBesideFirst },
  { name: 'both at once', play: bothAtOnce },
  { name: 'copied journal', play: copiedJournal },
  { name: 'take-over', play: takeOver },
  { name: 'killed first', play: killedFirst },
  { name: 'clean stop', play: cleanStop },
  { name: 'restart', play: restart },
  { name: 'reboot', play: reboot },
  { name: 'restore drill', play: restoreDrill },
  { name: 'other heartbeat', play: otherHeartbeat },
];
