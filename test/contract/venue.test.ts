import { venueContract } from './venue.ts';
import { inProcessSubject, socketSubject } from './venue-subject.ts';

venueContract('the client, with the exchange in process', inProcessSubject);
venueContract('the client, over sockets', socketSubject);
