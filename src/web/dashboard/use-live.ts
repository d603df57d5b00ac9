import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { browserTime, tabName } from '../adapters/browser-time.ts';
import type { Wants } from '../adapters/live-stream.ts';
import { isOver, openSession, type Session } from '../adapters/session.ts';
import { openLine } from './stream/line.ts';
import { FOLLOW_EVERY_MS, type FromHolder } from './stream/protocol.ts';
import { afterMessage, type View } from './stream/view.ts';

const TICK_MS = 250;

/** The session of this tab. `undefined` while the daemon has not answered, null if a new link is needed. */
export function useSession(): readonly [session: Session | null | undefined, end: () => void] {
  const [session, setSession] = useState<Session | null>();
  useEffect(() => void openSession().then(setSession), []);
  return [session, () => setSession(null)];
}

/** A tab whose link was revoked ends within this time and the time of an answer. */
const CHECK_EVERY_MS = 5_000;

/**
 * Ends the session of this tab once the daemon does not know it any more. The stream of messages does not tell that: another tab of the
 * browser may hold it, with a session of its own.
 */
export function useEndOf(session: Session, end: () => void): void {
  useEffect(() => {
    let cancel = (): void => undefined;
    let hasLeft = false;
    const check = async (): Promise<void> => {
      const over = await isOver(session);
      if (hasLeft) return;
      if (over) end();
      else cancel = browserTime.after(CHECK_EVERY_MS, () => void check());
    };
    cancel = browserTime.after(CHECK_EVERY_MS, () => void check());
    return () => {
      hasLeft = true;
      cancel();
    };
  }, [session]);
}

export interface Live {
  /** Null before the first message. */
  readonly view: View | null;
  /** Whether no link to the daemon is good any more. */
  readonly isRefused: boolean;
  /** The page's clock. It moves several times a second, so that ages grow. */
  readonly nowMs: number;
}

/** The daemon's state. */
export function useLive(session: Session, wants: Wants): Live {
  const [view, setView] = useState<View | null>(null);
  const [isRefused, setRefused] = useState(false);
  const nowMs = useNow();
  const wanted = useRef(wants);
  wanted.current = wants;
  const line = useMemo(() => {
    const tab = tabName();
    const onMessage = (message: FromHolder): void => {
      setRefused(message.kind === 'refused');
      if (message.kind !== 'message') return;
      setView((before) => afterMessage(before, message.message, browserTime.nowMs()));
    };
    const opened = openLine(session.token, onMessage);
    const follow = (): void => opened.send({ kind: 'follow', tab, token: null, ...wanted.current });
    return { follow, leave: () => opened.send({ kind: 'leave', tab }), close: () => opened.close() };
  }, [session]);
  useEffect(() => {
    line.follow();
  }, [line, JSON.stringify(wants)]);
  useEffect(() => {
    let cancel = (): void => undefined;
    const again = (): void => {
      line.follow();
      cancel = browserTime.after(FOLLOW_EVERY_MS, again);
    };
    cancel = browserTime.after(FOLLOW_EVERY_MS, again);
    addEventListener('pagehide', line.leave);
    return () => {
      cancel();
      removeEventListener('pagehide', line.leave);
      line.leave();
      line.close();
    };
  }, [line]);
  return { view, isRefused, nowMs };
}

function useNow(): number {
  const [nowMs, setNowMs] = useState(browserTime.nowMs());
  useEffect(() => {
    let cancel = (): void => undefined;
    const tick = (): void => {
      setNowMs(browserTime.nowMs());
      cancel = browserTime.after(TICK_MS, tick);
    };
    cancel = browserTime.after(TICK_MS, tick);
    return () => cancel();
  }, []);
  return nowMs;
}
