import { IsString } from 'class-validator';
import { Length } from '../../platform/field/text-length.js';
import { Optional } from '../../platform/field/optional.decorator.js';

/** An address of a user, such as an e-mail address or a phone number. */
export class AddressDto {
  /**
   * Kind of address.
   * @example 'phone'
   */
  name: string;

  /** @example '+15551234567' */
  value: string;

  static from({ name, value }: AddressDto): AddressDto {
    return { name, value };
  }
}

export class CreateAddressDto {
  /**
   * Kind of address: `email`, `phone` or a kind of your own.
   * @example 'phone'
   */
  @IsString()
  @Length(1, 50)
  name: string;

  /**
   * An `email` must be an e-mail address. A `phone` must be an international number: `+` and 7 to 15 digits; separators are
   * dropped.
   * @example '+1 555 123 4567'
   */
  @IsString()
  @Length(1, 750)
  value: string;
}

export class UpdateAddressDto {
  /**
   * New address of the same kind.
   * @example '+1 555 765 4321'
   */
  @Optional()
  @IsString()
  @Length(1, 750)
  value?: string;
}
