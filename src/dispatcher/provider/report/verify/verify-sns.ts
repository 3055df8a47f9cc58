import { parsed } from '../../../report/report.js';
import { objectAt, textOf } from '../../../report/fields.js';
import { Sns, problemWithTopic } from '../../../report/sns.js';
import type { FilePlace } from '../../read/place.js';
import type { Verifier } from './verifier.js';

/**
 * A message of Amazon SNS, of the topic whose ARN is the key. Its `Message` is parsed. Confirms the subscription of the topic. An example
 * cannot be signed with a key of Amazon.
 */
export function readSns(place: FilePlace, settings: readonly string[]): Verifier {
  return {
    key: place.only(['key']).need('key').oneOf(settings),
    problem: problemWithTopic,
    sampleKey: 'arn:aws:sns:eu-west-1:123456789012:reports',
    check: async ({ body }, topic, outbound) => {
      const message = objectAt(parsed(body));
      const sns = new Sns(outbound);
      if (!(await sns.isOfTopic(message, topic))) return 'forged';
      if (message.Type === 'SubscriptionConfirmation') return (await sns.confirm(message)) ? 'handled' : 'forged';
      const event = message.Type === 'Notification' ? parsed(Buffer.from(textOf(message.Message))) : undefined;
      return { body: { ...message, Message: event ?? null } };
    },
    sign: null,
  };
}
