import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { TooManyReports } from '../../engine/provider-report/provider-reports.js';
import { baseUrl } from '../../platform/http/base-url.js';
import { StreamedBody } from '../../platform/http/body/json-body.guard.js';
import { readBytes } from '../../platform/http/body/read-bytes.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import { notFound, tooManyRequests, tooManyWrongKeys, unavailable } from '../../platform/http/problem.js';
import { requestId } from '../../platform/http/request-id.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { ProviderReportService, type ReportPath } from './provider-report.service.js';

const MAX_KB = 1024;

/** Requests of an address in a minute that no provider signed. */
const MAX_WRONG = 100;

/** Requests of one organization in a second. Services send many events at once, or slow down when they are told to. */
const MAX_A_SECOND = 2000;

/** Requests under way. A service that reports about one organization must not take the connections that the others need. */
const LIMITS = { perOrganization: 16, inAll: 64, maxWaiting: 200, waitMs: 5000 };

/** What providers report about messages. The signature of the provider takes the place of a key. */
@ApiExcludeController()
@Controller('reports/:org')
export class ProviderReportController {
  private readonly wrong = new RateLimits<string>(60_000);
  private readonly rate = new RateLimits();
  private readonly ownRate = new RateLimits();
  private readonly limiter = new TenantLimiter<number>({
    ...LIMITS,
    refusal: () => tooManyRequests(MAX_A_SECOND, 1, 'organization'),
  });

  constructor(private readonly reports: ProviderReportService) {}

  @Post(':channel')
  @Public()
  @StreamedBody()
  ofOrganization(
    @Param() { org = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.take({ org, prj: null, channel }, request, response);
  }

  @Post(':prj/:channel')
  @Public()
  @StreamedBody()
  ofProject(
    @Param() { org = '', prj = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.take({ org, prj, channel }, request, response);
  }

  /** How a provider tries the URL before it reports. */
  @Get(':channel')
  @Public()
  confirmOfOrganization(
    @Param() { org = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.confirm({ org, prj: null, channel }, request, response);
  }

  @Get(':prj/:channel')
  @Public()
  confirmOfProject(
    @Param() { org = '', prj = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.confirm({ org, prj, channel }, request, response);
  }

  private async confirm(path: ReportPath, request: Request, response: Response): Promise<void> {
    const channel = await this.reports.find(path);
    if (channel) this.count(this.rate, channel.owner.organizationId, MAX_A_SECOND);
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
    const answer = channel?.reader.confirm?.(query) ?? null;
    if (answer === null) throw this.refusal(request);
    response.status(200).type('text/plain').end(answer);
  }

  private async take(path: ReportPath, request: Request, response: Response): Promise<void> {
    const channel = await this.reports.find(path);
    if (!channel) throw this.refusal(request);
    const { organizationId } = channel.owner;
    this.count(this.rate, organizationId, MAX_A_SECOND);
    const { perSecond } = channel.reader;
    if (perSecond !== undefined) this.count(this.ownRate, organizationId, perSecond);
    const report = {
      url: baseUrl(request) + request.originalUrl,
      headers: request.headers,
      // Only now: of a channel that does not exist, nothing is read.
      body: await readBytes(request, response, MAX_KB),
      now: new Date(),
    };
    const take = () => this.reports.take(channel, report, requestId(request));
    const isGenuine = await this.limiter.run(organizationId, take).catch((error: unknown) => {
      throw error instanceof TooManyReports ? unavailable(error.message) : error;
    });
    if (!isGenuine) throw this.refusal(request);
    const { type, body } = channel.reader.answer ?? { type: 'text/plain', body: '' };
    response.status(200).type(type).end(body);
  }

  private count(rate: RateLimits, organizationId: number, perSecond: number): void {
    const { waitMs } = rate.take(organizationId, perSecond);
    if (waitMs > 0) throw tooManyRequests(perSecond, Math.ceil(waitMs / 1000), 'organization');
  }

  /** The same for a channel that does not exist, one without a key for reports, and a wrong signature. */
  private refusal(request: Request): Error {
    const { waitMs } = this.wrong.take(networkOf(clientAddress(request)), MAX_WRONG);
    return waitMs > 0 ? tooManyWrongKeys(Math.ceil(waitMs / 1000)) : notFound('channel');
  }
}

/** The URLs that Twilio was told before other providers reported. */
@ApiExcludeController()
@Controller('twilio/:org')
export class TwilioReportController extends ProviderReportController {}
