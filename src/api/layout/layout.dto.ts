import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Changes, OrNull } from '../../platform/field/optional.decorator.js';
import { IsSlug } from '../../platform/field/slug.js';

/** The largest body of a request: HTML and text with many characters of several bytes. */
export const LAYOUT_LIMIT_KB = 1024;

/** A layout or a partial: HTML and text in Liquid, for templates to use. It has at least one of the two. */
export class FragmentDto {
  /**
   * The name that templates use.
   * @example 'newsletter'
   */
  @IsSlug()
  slug: string;

  /**
   * Inserted values are escaped for HTML. The `{{ content }}` of a layout is the HTML of the template. Null: the layout leaves the HTML alone; of a
   * partial, the text is converted to HTML.
   * @example '<main>{{ content }}</main>'
   */
  @OrNull()
  @IsString()
  @ApiProperty({ type: String, nullable: true })
  html: string | null;

  /**
   * The `{{ content }}` of a layout is the text of the template. Null: the layout leaves the text alone; of a partial, the HTML is converted to text.
   * @example '{{ content }}'
   */
  @OrNull()
  @IsString()
  @ApiProperty({ type: String, nullable: true })
  text: string | null;

  /**
   * The HTML of a layout as MJML, instead of `html`. It is converted when it is written. Partials have none.
   * @example '<mjml><mj-body><mj-section><mj-column><mj-text>{{ content }}</mj-text></mj-column></mj-section></mj-body></mjml>'
   */
  @OrNull()
  @IsString()
  @ApiProperty({ type: String, nullable: true })
  mjml: string | null;
}

export class PutFragmentDto extends Changes(OmitType(FragmentDto, ['slug'])) {}

/** A template that uses a layout or a partial, itself or through others. */
export class FragmentUseDto {
  /** @example 'shop' */
  project: string;

  /** @example 'web' */
  application: string;

  /** @example 'order-paid' */
  event: string;

  /**
   * The id of the notification.
   * @example 9
   */
  @ApiProperty({ type: 'integer' })
  notification: number;

  /** @example 'Tell the staff' */
  name: string;

  /**
   * The slug of the template's channel.
   * @example 'mail'
   */
  channel: string;
}
