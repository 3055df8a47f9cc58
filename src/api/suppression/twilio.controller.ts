import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { baseUrl } from '../../platform/http/base-url.js';
import { FormBody } from '../../platform/http/body/json-body.guard.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import { notFound, tooManyWrongKeys } from '../../platform/http/problem.js';
import { requestId } from '../../platform/http/request-id.js';
import { TwilioService } from './twilio.service.js';

/** Requests of an address in a minute that Twilio did not sign. */
const MAX_WRONG = 100;

/** Status callbacks and incoming messages of Twilio. The signature of Twilio takes the place of a key. */
@ApiExcludeController()
@Controller('twilio/:org')
export class TwilioController {
  private readonly wrong = new RateLimits<string>(60_000);

  constructor(private readonly twilio: TwilioService) {}

  @Post(':channel')
  @Public()
  @FormBody(64)
  ofOrganization(
    @Param() { org = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.report({ org, prj: null, channel }, request, response);
  }

  @Post(':prj/:channel')
  @Public()
  @FormBody(64)
  ofProject(
    @Param() { org = '', prj = '', channel = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.report({ org, prj, channel }, request, response);
  }

  private async report(
    place: { org: string; prj: string | null; channel: string },
    request: Request,
    response: Response,
  ): Promise<void> {
    const network = networkOf(clientAddress(request));
    const isTwilio = await this.twilio.report({
      ...place,
      url: baseUrl(request) + request.originalUrl,
      signature: request.get('X-Twilio-Signature') ?? '',
      form: (request.body ?? new URLSearchParams()) as URLSearchParams,
      requestId: requestId(request),
    });
    if (isTwilio) return void response.status(200).type('text/xml').end('<Response/>');
    const { waitMs } = this.wrong.take(network, MAX_WRONG);
    throw waitMs > 0 ? tooManyWrongKeys(Math.ceil(waitMs / 1000)) : notFound('channel');
  }
}
