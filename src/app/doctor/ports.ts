import { listen, PLAIN, shortRequestServer } from '../../ops/listener.ts';
import { certificateOf } from '../admin/certificate.ts';
import type { Config } from '../config/load.ts';
import type { RunningDaemon } from './lock.ts';

/** Listens for a moment where a start would. Rejects with what a start would throw, unless a daemon of this account runs. */
export async function whatPorts(config: Config, daemon: RunningDaemon | null): Promise<string> {
  const { admin, ops } = config;
  if (daemon !== null) return `left to ${daemon.who}`;
  const transport = { ...PLAIN, certificate: certificateOf(config) };
  const servers = [
    [shortRequestServer(PLAIN), ops, 'ops.port'],
    [shortRequestServer(transport), admin, 'admin.port'],
  ] as const;
  for (const [server, address, setting] of servers) await (await listen(server, address, setting)).close();
  return `ops ${inWords(ops)}, admin ${inWords(admin)}: free`;
}

const inWords = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  port === 0 ? `any port of ${host}` : `${host}:${port}`;
