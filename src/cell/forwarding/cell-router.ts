import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Cells } from '../directory/cells.js';
import type { DirectoryEntry } from '../directory/directory.js';
import { Forward } from './forward.js';
import type { Forwarded } from './forward.js';
import { DirectoryReplica } from '../directory/directory-replica.js';
import { PROOF_HEADER, proveAnswer, readProof } from './proof.js';
import { isObject } from '../../platform/field/is-object.js';
import { readAhead } from '../../platform/http/body/read-bytes.js';
import { clientAddress, setClientAddress } from '../../platform/http/client-address.js';
import { pathOf } from '../../platform/http/path-of.js';
import { answerProblem } from '../../platform/http/problem.filter.js';
import { Problem, movesAway, unavailable } from '../../platform/http/problem.js';
import { requestId } from '../../platform/http/request-id.js';
import { organizationIn } from '../../engine/unsubscribe/token.js';
import { hashSecret, isWellFormed, presentedKey, presentedToken } from '../../auth/api-key.js';
import type { SecretKind } from '../../auth/api-key.js';
import { looksLikeToken, readToken } from '../../auth/recipient/token.js';
import { presentedSession } from '../../auth/session/cookie.js';
import { ANSWER_HEADER, ASK_PATH } from './cell-client.js';
import type { QuestionStatement } from './cell-client.js';
import { setWriter } from './write.interceptor.js';
import { destinationOf, isWrite } from './destination.js';
import type { Destination } from './destination.js';
import { RemoteKeys } from './remote-keys.js';

const MAX_BODY_KB = 256;

/** Nothing to do here: the request is routed. */
type Verdict = 'here' | { cell: number; body?: Buffer };

/** Sends each request to the cell that can answer it, before the routes of this cell are looked at. Only there when there are cells. */
@Injectable()
export class CellRouter {
  private readonly logger = new Logger('Cells');

  constructor(
    private readonly cells: Cells,
    private readonly copy: DirectoryReplica,
    private readonly keys: RemoteKeys,
    private readonly forward: Forward,
  ) {}

  /** Answers the request, or calls `next`. */
  readonly admit = (request: Request, response: Response, next: () => void): void => {
    const proof = request.headers[PROOF_HEADER];
    const said = proof === undefined ? null : this.read(request);
    if (said && 'question' in said) return void this.answer(said, proof as string, response);
    if (said) takeOver(request, response, said);
    const destination = destinationOf(request.method, pathOf(request.url));
    if (!destination) return next();
    try {
      const verdict = this.judge(request, response, destination, said !== null);
      if (!(verdict instanceof Promise)) return this.follow(verdict, request, response, next);
      verdict.then(
        (late) => this.follow(late, request, response, next),
        (error: unknown) => this.fail(error, request, response),
      );
    } catch (error) {
      this.fail(error, request, response);
    }
  };

  private read({ headers, method, originalUrl: url }: Request): Forwarded | QuestionStatement | null {
    const { number, secret } = this.cells.settings;
    const said = readProof(headers[PROOF_HEADER], { method, url }, number, secret) as
      | Forwarded
      | QuestionStatement
      | null;
    return said && 'question' in said && pathOf(url) !== ASK_PATH ? null : said;
  }

  private follow(verdict: Verdict, request: Request, response: Response, next: () => void): void {
    if (verdict === 'here') return next();
    const cell = this.copy.places.cell(verdict.cell);
    if (cell) this.forward.send(request, response, cell, verdict.body);
    else this.fail(unavailable('The cell of the organization is not known yet. Try again.', 2), request, response);
  }

  private judge(request: Request, response: Response, to: Destination, isForwarded: boolean) {
    if (to.by === 'key') return this.byKey(request).then((verdict) => onlyOnce(verdict, isForwarded));
    if (to.by === 'body') return this.byBody(request, response).then((verdict) => onlyOnce(verdict, isForwarded));
    const slug = to.by === 'slug' ? slugFor(request, to.slug) : orgOf(to.token);
    if (slug === null) return this.byPlace(request, this.placeOfLink(to), isForwarded);
    const place = this.copy.places.ofSlug(slug);
    if (place || isForwarded) return this.byPlace(request, place, isForwarded);
    return this.copy.find(slug).then((found) => this.byPlace(request, found, isForwarded));
  }

  private placeOfLink(to: Destination): DirectoryEntry | undefined {
    const id = to.by === 'link' ? organizationIn(to.token) : null;
    return id === null ? undefined : this.copy.places.ofOrganization(id);
  }

  private byPlace(request: Request, place: DirectoryEntry | undefined, isForwarded: boolean): Verdict {
    if (!place) return 'here';
    const isHere = place.cell === this.cells.settings.number;
    const isQuiet = place.state === 'moving' || (isHere && this.copy.places.isFrozen(place.organizationId ?? 0));
    if (isQuiet && isWrite(request.method)) throw movesAway();
    if (isHere) {
      if (isWrite(request.method) && place.organizationId !== null) setWriter(request, place.organizationId);
      return 'here';
    }
    return onlyOnce({ cell: place.cell }, isForwarded);
  }

  /** A request about the key itself. One without a key, or with a wrong one, is refused here. */
  private async byKey(request: Request): Promise<Verdict> {
    const key = presentedKey(request.headers);
    const secret = key ?? presentedSession(request);
    const kind = key === null ? 'session' : 'key';
    return secret === null ? 'here' : this.bySecret(request, secret, kind, isWrite(request.method));
  }

  /** Signing in: the session must be where the key is. */
  private async byBody(request: Request, response: Response): Promise<Verdict> {
    const body = await readAhead(request, response, MAX_BODY_KB);
    const secret = secretIn(body);
    if (!secret) return 'here';
    const verdict = await this.bySecret(request, secret.text, secret.kind, secret.kind === 'link');
    return verdict === 'here' ? verdict : { ...verdict, body };
  }

  /** `isAtHome`: whether a change of an operator's session or link must happen in the cell that created it, not in a copy. */
  private async bySecret(request: Request, secret: string, kind: SecretKind, isAtHome: boolean): Promise<Verdict> {
    if (!isWellFormed(secret, kind)) return 'here';
    const found = await this.keys.locate(hashSecret(secret, kind), clientAddress(request));
    if (!found) return 'here';
    if (found.cell === this.cells.settings.number) {
      const { organizationId } = found;
      if (isWrite(request.method) && organizationId !== null) setWriter(request, organizationId);
      return 'here';
    }
    if (found.organizationId === null) return isAtHome ? { cell: found.cell } : 'here';
    return { cell: found.cell };
  }

  private async answer(said: QuestionStatement, proof: string, response: Response): Promise<void> {
    try {
      const body = JSON.stringify(await this.keys.answer(said.question));
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.setHeader(ANSWER_HEADER, proveAnswer(body, proof, this.cells.settings.secret));
      response.end(body);
    } catch (error) {
      this.logger.warn({ message: 'could not answer a cell', cell: said.from, error: (error as Error).message });
      answerProblem(response, unavailable('The cell cannot answer now.', 1));
    }
  }

  private fail(error: unknown, request: Request, response: Response): void {
    const problem = error instanceof Problem ? error : unavailable('The cell cannot answer now. Try again.', 1);
    if (problem.kind === 'client-left') return void response.destroy();
    // Refusing writes of an organization that moves is planned.
    const level = error instanceof Problem ? 'debug' : 'error';
    this.logger[level]({ message: 'request refused', requestId: requestId(request), error: (error as Error).message });
    if (!request.readableEnded && isWrite(request.method)) response.setHeader('Connection', 'close');
    answerProblem(response, problem);
  }
}

/** The other cell thought that the request belongs here: one of us has not heard of a move yet. */
function onlyOnce(verdict: Verdict, isForwarded: boolean): Verdict {
  if (isForwarded && verdict !== 'here')
    throw unavailable('The organization has just moved to another cell. Try again.', 1);
  return verdict;
}

/** From here on the request looks as it did to the first cell. */
function takeOver(request: Request, response: Response, { address, host, protocol }: Forwarded): void {
  setClientAddress(request, address);
  if (host === undefined) delete request.headers.host;
  else request.headers.host = host;
  Object.defineProperty(request, 'protocol', { value: protocol });
  // A cell that still sends the body when the connection is closed would not see why it was refused. It closes the connection itself.
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => (name.toLowerCase() === 'connection' ? response : setHeader(name, value));
}

/**
 * A recipient token is checked where its organization is, whatever the path says: only there is it told from a wrong one. So a user cannot find
 * out which organizations exist.
 */
const slugFor = ({ headers }: Request, slug: string) => orgOf(presentedToken(headers) ?? '') ?? slug;

/** Null: it is no recipient token. */
const orgOf = (token: string) => (looksLikeToken(token) ? (readToken(token)?.org ?? null) : null);

function secretIn(body: Buffer): { text: string; kind: SecretKind } | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (!isObject(value)) return null;
    const { key, link } = value;
    if (typeof key === 'string' && link === undefined) return { text: key, kind: 'key' };
    return typeof link === 'string' && key === undefined ? { text: link, kind: 'link' } : null;
  } catch {
    return null;
  }
}
