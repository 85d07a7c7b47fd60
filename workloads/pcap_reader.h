// Reads packet captures (pcap and pcapng, by libpcap) from any byte source.

#ifndef TAMIS_WORKLOADS_PCAP_READER_H_
#define TAMIS_WORKLOADS_PCAP_READER_H_

#include <memory>

#include "tamis/result.h"
#include "workloads/byte_source.h"
#include "workloads/key_reader.h"

namespace tamis::workloads {

// Reads the header of the capture.  kCorrupt if there is none, kUnsupported
// for a link type in which we don't know where IP begins.
Result<std::unique_ptr<KeyReader>> OpenPcap(std::unique_ptr<ByteSource> source);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_PCAP_READER_H_
