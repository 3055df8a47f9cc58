import { IsString, Length } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';

/** A way to reach a user. */
export class AddressDto {
  /**
   * The kind of address.
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
   * The kind of address: `email`, `phone` or another of your own.
   * @example 'phone'
   */
  @IsString()
  @Length(1, 50)
  name: string;

  /**
   * An `email` must be an e-mail address; a `phone` an international number, `+` and 7 to 15 digits (separators are dropped).
   * @example '+1 555 123 4567'
   */
  @IsString()
  @Length(1, 750)
  value: string;
}

export class UpdateAddressDto {
  /**
   * The new address, of the same kind.
   * @example '+1 555 765 4321'
   */
  @Optional()
  @IsString()
  @Length(1, 750)
  value?: string;
}
