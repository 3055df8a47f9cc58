/** What the bytes of an image say about it, whatever its name and its type say. */
interface ImageHeader {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Null: the bytes are not a PNG, JPEG or WebP image. SVG is not among them on purpose: it can run scripts. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  try {
    return pngHeader(bytes) ?? jpegHeader(bytes) ?? webpHeader(bytes);
  } catch (error) {
    // A header that ends early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

function pngHeader(bytes: Buffer): ImageHeader | null {
  if (!bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** C4, C8 and CC are between the frames (SOF), but are none. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The size is in the first frame, after any number of segments. */
function jpegHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker))
      return { contentType: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Bytes that fill up, or a segment with its length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
}

/** Lossy, lossless, or with more than an image (RFC 9649). */
function webpHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const image = (width: number, height: number): ImageHeader => ({ contentType: 'image/webp', width, height });
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return image(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return image((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return image(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}
