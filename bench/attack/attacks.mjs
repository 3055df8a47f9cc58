import { critical } from './attacks/critical.mjs';
import { endlessMail } from './attacks/endless-mail.mjs';
import { flood } from './attacks/flood.mjs';
import { audit, inboxPages, rules } from './attacks/large-answers.mjs';
import { locks } from './attacks/locks.mjs';
import { mailSameHost } from './attacks/mail-same-host.mjs';
import { hangs, hangsSameHost } from './attacks/never-answers.mjs';
import { reports } from './attacks/reports.mjs';
import { resolver } from './attacks/resolver.mjs';
import { simulate } from './attacks/simulate.mjs';
import { slowInbox, slowStream } from './attacks/slow-readers.mjs';
import { triggerFlood } from './attacks/trigger-flood.mjs';

/**
 * @typedef {object} Target what the attacker knows of the service
 * @property {string} url
 * @property {string} databaseUrl
 * @property {object} headers
 * @property {Record<string, string>} paths
 * @property {number} seconds how long to attack
 */

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} about
 * @property {'http' | 'smtp'} [sink] the receiver of the quiet tenant (default: http)
 * @property {() => Promise<object>} [listen] opens the attacker's own servers, and returns where they are
 * @property {(facts: object, sink: object) => object | object[]} [channels] of the attacker, from the places of its servers and of the sink
 * @property {(facts: object) => Record<string, string>} [environment] further settings of the service
 * @property {number} [people] of the attacker
 * @property {(database: import('../world/database.mjs').Database, organizationId: number) => Promise<unknown>} [fill]
 * @property {(target: Target) => Promise<Record<string, number>>} run attacks, in the attacker's process; returns how often it got each answer
 */

/** @type {Attack[]} */
export const ATTACKS = [
  hangs,
  hangsSameHost,
  mailSameHost,
  endlessMail,
  resolver,
  critical,
  flood,
  triggerFlood,
  slowInbox,
  slowStream,
  inboxPages,
  rules,
  audit,
  simulate,
  locks,
  reports,
];
