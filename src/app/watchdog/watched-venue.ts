import type { Venue } from '../../ports/venue.ts';
import type { CallMarks } from './call-marks.ts';

/** The same venue. Notes each create request at the last instant before it leaves, and the heartbeat that guards the orders. */
export function watchedVenue(venue: Venue, marks: Pick<CallMarks, 'noteCreate' | 'noteHeartbeat'>): Venue {
  const watched: Pick<Venue, 'placeOrder' | 'createHeartbeat'> = {
    placeOrder: (order, options = {}) =>
      venue.placeOrder(order, {
        ...options,
        beforeSend: () => {
          options.beforeSend?.();
          marks.noteCreate();
        },
        // A request may wait for a connection for seconds.
        whenConnected: () => {
          options.whenConnected?.();
          marks.noteCreate();
        },
      }),
    createHeartbeat: async (timeoutS, options) => {
      const heartbeat = await venue.createHeartbeat(timeoutS, options);
      marks.noteHeartbeat(heartbeat.heartbeatId);
      return heartbeat;
    },
  };
  return new Proxy(venue, {
    get: (target, name) => {
      if (Object.hasOwn(watched, name)) return Reflect.get(watched, name) as unknown;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
