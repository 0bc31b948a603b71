import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes the files of parquet-mr into the directory that the argument names, and the expected rows. */
public class Write {
  static final String ROW = "{'type':'record','name':'Row','fields':["
      + "{'name':'id','type':'long'},"
      + "{'name':'words','type':{'type':'array','items':'string'}},"
      + "{'name':'maybe','type':['null',{'type':'array','items':'int'}]},"
      + "{'name':'counts','type':{'type':'map','values':'int'}},"
      + "{'name':'grid','type':{'type':'array','items':{'type':'array','items':'long'}}},"
      + "{'name':'turns','type':{'type':'array','items':{'type':'record','name':'Turn','fields':["
      + "{'name':'role','type':'string'},{'name':'parts','type':{'type':'array','items':'string'}}]}}},"
      + "{'name':'pairs','type':{'type':'array','items':{'type':'record','name':'Pair','fields':["
      + "{'name':'only','type':['null','string']}]}}}]}";

  static List<Object> list(int n, java.util.function.IntFunction<Object> make) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(make.apply(i));
    }
    return all;
  }

  static GenericRecord row(Schema schema, int i) {
    GenericRecord row = new GenericData.Record(schema);
    Schema turn = schema.getField("turns").schema().getElementType();
    Schema pair = schema.getField("pairs").schema().getElementType();
    Map<String, Object> counts = new TreeMap<>();
    for (int k = 0; k < i % 3; k++) {
      counts.put("k" + k, i * k);
    }
    row.put("id", (long) i);
    row.put("words", list(i % 17 == 0 ? 30 : i % 5, k -> "word " + i * k % 20));
    row.put("maybe", i % 4 == 0 ? null : list(i % 3, k -> i + k));
    row.put("counts", counts);
    row.put("grid", list(i % 4, k -> list((i + k) % 3, m -> (long) k * m)));
    row.put("turns", list(i % 3, k -> {
      GenericRecord one = new GenericData.Record(turn);
      one.put("role", k % 2 == 0 ? "a" : "b");
      one.put("parts", list((i + k) % 3, m -> "part " + m));
      return one;
    }));
    row.put("pairs", list(i % 2 + 1, k -> {
      GenericRecord one = new GenericData.Record(pair);
      one.put("only", k == 1 ? null : "x" + i);
      return one;
    }));
    return row;
  }

  /** Returns a value as compact JSON, with the members of a record in the order of its schema. */
  static String json(Object v) {
    List<String> parts = new ArrayList<>();
    if (v instanceof GenericRecord) {
      GenericRecord r = (GenericRecord) v;
      r.getSchema().getFields().forEach(f -> parts.add("\"" + f.name() + "\":" + json(r.get(f.pos()))));
      return "{" + String.join(",", parts) + "}";
    } else if (v instanceof Map) {
      ((Map<?, ?>) v).forEach((k, value) -> parts.add("\"" + k + "\":" + json(value)));
      return "{" + String.join(",", parts) + "}";
    } else if (v instanceof List) {
      ((List<?>) v).forEach(e -> parts.add(json(e)));
      return "[" + String.join(",", parts) + "]";
    }
    return v instanceof CharSequence ? "\"" + v + "\"" : String.valueOf(v);
  }

  static void avro(String dir, String name, boolean old, WriterVersion version, CompressionCodecName codec) throws Exception {
    Schema schema = new Schema.Parser().parse(ROW.replace('\'', '"'));
    Configuration conf = new Configuration();
    conf.setBoolean("parquet.avro.write-old-list-structure", old);
    try (ParquetWriter<GenericRecord> w = AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(Path.of(dir, name + ".parquet")))
        .withSchema(schema).withConf(conf).withWriterVersion(version).withPageSize(200).withPageRowCountLimit(20)
        .withCompressionCodec(codec).build();
        PrintWriter lines = new PrintWriter(Path.of(dir, "mr.jsonl").toFile())) {
      for (int i = 0; i < 80; i++) {
        GenericRecord row = row(schema, i);
        w.write(row);
        lines.println(json(row));
      }
    }
  }

  /** Writes a map without values, which is a set of its keys, beside a list whose groups have names that are not in the standard. */
  static void set(String dir) throws Exception {
    MessageType schema = MessageTypeParser.parseMessageType("message row { required int64 id = 0;"
        + " optional group tags (MAP) = 1 { repeated group key_value { required binary key (STRING); } }"
        + " optional group bag (LIST) = 2 { repeated group bag { optional int32 array_element; } } }");
    SimpleGroupFactory make = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> w = ExampleParquetWriter.builder(new LocalOutputFile(Path.of(dir, "avro-set.parquet")))
        .withType(schema).withCompressionCodec(CompressionCodecName.UNCOMPRESSED).build();
        PrintWriter lines = new PrintWriter(Path.of(dir, "avro-set.jsonl").toFile())) {
      for (int i = 0; i < 30; i++) {
        Group row = make.newGroup().append("id", (long) i);
        List<String> tags = new ArrayList<>();
        List<Integer> bag = new ArrayList<>();
        if (i % 4 > 0) {
          Group g = row.addGroup("tags");
          for (int k = 0; k < i % 3; k++) {
            g.addGroup("key_value").append("key", "t" + k);
            tags.add("\"t" + k + "\":null");
          }
        }
        if (i % 5 > 0) {
          Group g = row.addGroup("bag");
          for (int k = 0; k < i % 3; k++) {
            Group e = g.addGroup("bag");
            if (k == 0) {
              e.append("array_element", i);
            }
            bag.add(k == 0 ? i : null);
          }
        }
        w.write(row);
        lines.println("{\"id\":" + i + ",\"tags\":" + (i % 4 > 0 ? "{" + String.join(",", tags) + "}" : "null")
            + ",\"bag\":" + (i % 5 > 0 ? bag.toString().replace(" ", "") : "null") + "}");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    avro(args[0], "avro-old-mr", true, WriterVersion.PARQUET_1_0, CompressionCodecName.SNAPPY);
    avro(args[0], "avro-new-mr", false, WriterVersion.PARQUET_1_0, CompressionCodecName.GZIP);
    avro(args[0], "avro-v2-mr", true, WriterVersion.PARQUET_2_0, CompressionCodecName.ZSTD);
    set(args[0]);
    System.out.println("avro\t" + org.apache.parquet.Version.VERSION_NUMBER);
  }
}
